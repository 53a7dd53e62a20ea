import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import {
	type EditConfig,
	type EditConfigKey,
	type EditRequest,
	editConfigSchema,
	isWebUrl,
} from '../../api/contract';
import { withoutSecrets } from '../../api/text';
import { CONFIG_FIELDS } from './configFields';
import { findContradictions } from './contradictions';
import { PRESETS, type PresetName } from './presets';

/** A request that is complete and does not contradict itself, and what should be said about it. */
export interface PreparedRequest {
	readonly request: EditRequest;
	readonly config: EditConfig;
	readonly hints: readonly string[];
}

/**
 * Reads the form of one item into a request. Everything that can be found wrong is found here,
 * before a request is spent.
 *
 * @param itemIndices the items whose files are tracks of this one recording
 */
export function readRequest(
	context: IExecuteFunctions,
	itemIndices: readonly number[],
): PreparedRequest {
	const [itemIndex] = itemIndices;
	const files = itemIndices.flatMap((index) => readFiles(context, index));
	const templateId = readTemplateId(context, itemIndex);
	const config = { ...readConfig(context, itemIndex), ...readDelivery(context, itemIndex) };
	const hasTemplate = templateId !== undefined;
	const contradictions = findContradictions(config, { trackCount: files.length, hasTemplate });
	const fatal = contradictions.find(({ isFatal }) => isFatal);
	if (fatal) refuse(context, itemIndex, fatal.message, `Nothing was sent. ${fatal.advice}`);
	return {
		config,
		hints: contradictions.map(({ message }) => message),
		request: {
			input: {
				files,
				config,
				upload_type: files.length > 1 ? 'multitrack' : 'singletrack',
				...(hasTemplate && { template_id: templateId }),
			},
		},
	};
}

function refuse(
	context: IExecuteFunctions,
	itemIndex: number,
	message: string,
	description: string,
): never {
	throw new NodeOperationError(context.getNode(), `${message} [item ${itemIndex}]`, {
		itemIndex,
		description,
	});
}

/** One URL, several separated by white space or commas, or a list from an expression. */
function readFiles(context: IExecuteFunctions, itemIndex: number): string[] {
	const value: unknown = context.getNodeParameter('fileUrls', itemIndex);
	const texts = (Array.isArray(value) ? value : [value]).map((entry) => String(entry ?? ''));
	const urls = texts.flatMap((text) => text.split(/\s+|,(?=\s*https?:)/i)).filter(Boolean);
	if (urls.length === 0 || urls[0] === 'undefined') {
		refuse(
			context,
			itemIndex,
			"'File URLs' is empty",
			"Nothing was sent. Connect an Upload node before this one, or enter the URL of a public file. The default expression reads the field 'fileUrl' of the input item.",
		);
	}
	const wrong = urls.find((url) => !isWebUrl(url));
	if (wrong !== undefined) {
		refuse(
			context,
			itemIndex,
			`'File URLs' holds something that is not an http or https URL: '${withoutSecrets(wrong).slice(0, 200)}'`,
			'Nothing was sent. A file on your disk or in n8n goes through Upload first.',
		);
	}
	return urls;
}

function readTemplateId(context: IExecuteFunctions, itemIndex: number): number | undefined {
	const value: unknown = context.getNodeParameter('templateId', itemIndex, '', {
		extractValue: true,
	});
	const text = String(value ?? '').trim();
	if (text === '') return undefined;
	if (!/^\d+$/.test(text)) {
		const description = 'Nothing was sent. Choose a template from the list, or enter its number.';
		refuse(context, itemIndex, `'Template' is not a whole number: '${text}'`, description);
	}
	return Number(text);
}

function readConfig(context: IExecuteFunctions, itemIndex: number): EditConfig {
	const isJson = context.getNodeParameter('configure', itemIndex) === 'json';
	const field = isJson ? 'Configuration (JSON)' : 'Options';
	const raw = isJson ? readJson(context, itemIndex) : readFields(context, itemIndex);
	const parsed = editConfigSchema.safeParse(raw);
	if (parsed.success) return parsed.data;
	const findings = parsed.error.issues.map(({ path, message }) =>
		path.length > 0 ? `'${fieldName(path[0], isJson)}': ${message}` : message,
	);
	return refuse(
		context,
		itemIndex,
		`'${field}' cannot be used: ${findings.join('; ')}`,
		'Nothing was sent. The allowed keys and values are listed in the node’s form and in the README.',
	);
}

/** Where the finished file is to be delivered to when this execution itself is to take it. */
function readDelivery(
	context: IExecuteFunctions,
	itemIndex: number,
): Pick<EditConfig, 'signed_url'> {
	if (context.getNodeParameter('deliverHere', itemIndex, false) !== true) return {};
	const recordings =
		context.getNodeParameter('itemsAre', 0) === 'tracks' ? 1 : context.getInputData().length;
	if (recordings > 1) {
		refuse(
			context,
			itemIndex,
			`'Deliver to This Workflow' works for one edit in an execution, and there are ${recordings}`,
			'Nothing was sent. An execution has one address to deliver to. Give each item an execution of its own, with Execute Sub-workflow for each item.',
		);
	}
	const resumeUrl: unknown = context.evaluateExpression('{{ $execution.resumeUrl }}', itemIndex);
	if (typeof resumeUrl === 'string' && isWebUrl(resumeUrl)) return { signed_url: resumeUrl };
	return refuse(
		context,
		itemIndex,
		"'Deliver to This Workflow' needs the address of this execution, and n8n gives none",
		"Nothing was sent. Switch it off, or set 'Signed URL' to storage of your own.",
	);
}

/** The name the person sees: the key itself in JSON, the field's label in the form. */
function fieldName(key: string | number, isJson: boolean): string {
	const label = CONFIG_FIELDS.find(({ name }) => name === key)?.displayName;
	return isJson || label === undefined ? String(key) : label;
}

function readJson(context: IExecuteFunctions, itemIndex: number): unknown {
	const value: unknown = context.getNodeParameter('configJson', itemIndex);
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const description =
			'Nothing was sent. Correct the JSON; keys and texts stand in double quotes.';
		return refuse(
			context,
			itemIndex,
			`'Configuration (JSON)' is not valid JSON (${reason})`,
			description,
		);
	}
}

/** The preset, with the options that were added to the form laid over it. */
function readFields(context: IExecuteFunctions, itemIndex: number): Record<string, unknown> {
	const preset = context.getNodeParameter('preset', itemIndex) as PresetName;
	const options = context.getNodeParameter('options', itemIndex, {}) as Record<string, unknown>;
	const added = Object.entries(options).map(([key, value]) => [key, asBoolean(value)]);
	const config: Partial<Record<EditConfigKey, unknown>> = {
		...PRESETS[preset],
		...Object.fromEntries(added),
	};
	if (config.signed_url === '') delete config.signed_url;
	return config;
}

/** Lists hold their yes and no as words. */
function asBoolean(value: unknown): unknown {
	if (value === 'true') return true;
	return value === 'false' ? false : value;
}
