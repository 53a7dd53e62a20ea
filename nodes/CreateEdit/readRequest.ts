import type { IExecuteFunctions } from 'n8n-workflow';

import {
	type EditConfig,
	type EditConfigKey,
	type EditRequest,
	SUPPORTED_VIDEO_EXTENSIONS,
	editConfigSchema,
} from '../../api/contract';
import { sanitizeText } from '../../api/sanitizeText';
import { extensionOf, nameInUrl } from '../shared/fileNames';
import { configurationRefusal, parseConfigurationId } from '../shared/configurations';
import { fieldError, readText } from '../shared/parameters';
import { listed } from '../shared/listed';
import { sourceFileOf } from '../shared/inputItem';
import { readLinks } from './readLinks';
import { CONFIG_FIELDS } from './configFields';
import { OPTION_FIELD_NAMES } from './configGroups';
import { findContradictions } from './contradictions';
import { deliveryConfig, readDelivery, unsignedHints } from './delivery';
import { PRESETS, type PresetName } from './presets';

/** What should be said about a request, and the file it is about where it is about one. */
interface RequestHint {
	readonly message: string;
	readonly file?: string;
}

/** A request that is complete and does not contradict itself, and what should be said about it. */
export interface PreparedRequest {
	/** The items whose files are the tracks of the recording. */
	readonly itemIndices: readonly number[];
	/** The first of them, which errors name. */
	readonly itemIndex: number;
	readonly sourceFileName: string;
	readonly request: EditRequest;
	readonly config: EditConfig;
	/** Whether it goes to POST /v2/noise. */
	readonly isNoise: boolean;
	readonly hints: readonly RequestHint[];
	/** The ID of the execution that the file is to be delivered to, where it is this one. */
	readonly deliversTo?: string;
}

const VIDEO_EXTENSIONS: readonly string[] = SUPPORTED_VIDEO_EXTENSIONS;

/** Where the configuration comes from. */
type ConfigSource = 'fields' | 'template' | 'json';

/**
 * Reads the form of one recording into a request. Everything that can be found wrong is found here,
 * before a request is spent.
 *
 * @param itemIndices the items whose files are tracks of this one recording
 */
export function readRequest(
	context: IExecuteFunctions,
	itemIndices: readonly number[],
): PreparedRequest {
	const [itemIndex] = itemIndices;
	const source = context.getNodeParameter('configure', itemIndex) as ConfigSource;
	const links = itemIndices.flatMap((index) => readLinks(context, index));
	const files = links.map(({ url }) => url);
	const delivery = readDelivery(context, itemIndex);
	const config = { ...readConfig(context, itemIndex, source), ...deliveryConfig(delivery) };
	const hasTemplate = source === 'template';
	const contradictions = findContradictions(config, { trackCount: files.length, hasTemplate });
	const fatal = contradictions.find(({ isFatal }) => isFatal);
	if (fatal) refuse(context, itemIndex, fatal.message, fatal.advice);
	return {
		itemIndices,
		itemIndex,
		sourceFileName: sourceFileNames(context, itemIndices, files),
		config,
		isNoise: context.getNodeParameter('jobType', itemIndex) === 'noise',
		deliversTo: delivery?.executionId,
		hints: [
			...contradictions.map(({ message }) => ({ message })),
			...links.flatMap(({ url, message }) => (message ? [{ message, file: nameInUrl(url) }] : [])),
			...(config.video || hasTemplate ? [] : pictureHints(files)),
			...unsignedHints(delivery),
		],
		request: {
			input: {
				files,
				config,
				upload_type: files.length > 1 ? 'multitrack' : 'singletrack',
				...(hasTemplate && { template_id: readTemplateId(context, itemIndex) }),
			},
		},
	};
}

const NAMES_MAXIMUM = 5;

/** What the items say, or else the ends of the URLs. */
function sourceFileNames(
	context: IExecuteFunctions,
	itemIndices: readonly number[],
	files: readonly string[],
): string {
	const said = itemIndices.flatMap((index) => sourceFileOf(context, index).sourceFileName ?? []);
	const names = said.length === itemIndices.length ? said : files.map(nameInUrl).filter(Boolean);
	return listed(names.map(sanitizeText), NAMES_MAXIMUM);
}

/** A video without its picture is the commonest surprise: the key is off unless asked for. */
function pictureHints(files: readonly string[]): RequestHint[] {
	return files
		.map(nameInUrl)
		.filter((name) => VIDEO_EXTENSIONS.includes(extensionOf(name)))
		.map((file) => ({
			file,
			message: "a video, while 'Video' is off: only the sound comes back.",
		}));
}

function refuse(
	context: IExecuteFunctions,
	itemIndex: number,
	message: string,
	advice: string,
): never {
	throw fieldError(context, itemIndex, message, advice);
}

function readTemplateId(context: IExecuteFunctions, itemIndex: number): number {
	const value: unknown = context.getNodeParameter('templateId', itemIndex, '', {
		extractValue: true,
	});
	const id = parseConfigurationId(value);
	if (id !== undefined) return id;
	const { message, advice } = configurationRefusal(value);
	return refuse(context, itemIndex, message, advice);
}

function readConfig(
	context: IExecuteFunctions,
	itemIndex: number,
	source: ConfigSource,
): EditConfig {
	const isJson = source === 'json';
	const raw = isJson ? readJson(context, itemIndex) : readFields(context, itemIndex, source);
	const parsed = editConfigSchema.safeParse(raw);
	if (parsed.success) return parsed.data;
	const findings = parsed.error.issues.map(({ path, message }) =>
		path.length > 0 ? `'${fieldName(path[0], isJson)}': ${message}` : message,
	);
	const what = isJson ? "'Configuration (JSON)'" : 'An option';
	return refuse(
		context,
		itemIndex,
		`${what} cannot be used: ${findings.join('; ')}`,
		"The allowed keys and values are listed in the node's form and in the README.",
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
		return refuse(
			context,
			itemIndex,
			`'Configuration (JSON)' is not valid JSON (${reason})`,
			'Correct the JSON; keys and texts stand in double quotes.',
		);
	}
}

/** The preset, with the options that were added to the form laid over it. */
function readFields(
	context: IExecuteFunctions,
	itemIndex: number,
	source: ConfigSource,
): Record<string, unknown> {
	const options = OPTION_FIELD_NAMES.flatMap((name) => {
		const added: unknown = context.getNodeParameter(name, itemIndex, {});
		return typeof added === 'object' && added !== null ? Object.entries(added) : [];
	});
	const config: Partial<Record<EditConfigKey, unknown>> = {
		...(source === 'fields' && readPreset(context, itemIndex)),
		...Object.fromEntries(options.map(([key, value]) => [key, asConfigValue(key, value)])),
	};
	if (config.signed_url === '') delete config.signed_url;
	return config;
}

function readPreset(context: IExecuteFunctions, itemIndex: number): EditConfig {
	const name = readText(context.getNodeParameter('preset', itemIndex));
	if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
	const known = Object.keys(PRESETS).join(', ');
	return refuse(context, itemIndex, `'Preset' is not known: '${name}'`, `It is one of ${known}.`);
}

/** Lists hold their yes and no as words; expressions give numbers as text. */
function asConfigValue(key: string, value: unknown): unknown {
	if (value === 'true') return true;
	if (value === 'false') return false;
	const isNumber = CONFIG_FIELDS.find(({ name }) => name === key)?.type === 'number';
	return isNumber && typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}
