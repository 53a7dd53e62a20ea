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
import { fieldError } from '../shared/parameters';
import { listed, readText } from '../shared/texts';
import { sourceFileOf } from '../shared/inputItem';
import { readAdditionalKeys } from './additionalKeys';
import { readLinks } from './readLinks';
import { CONFIG_FIELDS } from './configFields';
import { OPTION_FIELD_NAMES } from './configGroups';
import { findContradictions } from './contradictions';
import { readDelivery, unsignedHints } from './delivery';
import { PRESETS, type PresetName } from './presets';

interface RequestHint {
	readonly message: string;
	/** The name of the file, if the hint is about one. */
	readonly file?: string;
}

/** A checked request, and the hints about it. */
export interface PreparedRequest {
	/** The items with the files of the recording. */
	readonly itemIndices: readonly number[];
	/** The first of them, which errors name. */
	readonly itemIndex: number;
	readonly sourceFileName: string;
	readonly request: EditRequest;
	readonly config: EditConfig;
	/** Whether it goes to POST /v2/noise. */
	readonly isNoise: boolean;
	readonly hints: readonly RequestHint[];
	/** The ID of this execution, if the file is delivered to it. */
	readonly deliversTo?: string;
}

type ConfigSource = 'fields' | 'template' | 'json';

/**
 * Reads the form for one recording. All checks are here, before the first request.
 *
 * @param itemIndices the items with the recording's files, which are its tracks if there are several
 * @throws NodeOperationError if a field cannot be used
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
	const signedUrl = delivery && { signed_url: delivery.signedUrl };
	const config = { ...readConfig(context, itemIndex, source), ...signedUrl };
	const additional = readAdditionalKeys(context, itemIndex, config);
	const hasTemplate = source === 'template';
	const contradictions = findContradictions(config, { trackCount: files.length, hasTemplate });
	const fatal = contradictions.find(({ isFatal }) => isFatal);
	if (fatal) throw fieldError(context, itemIndex, fatal.message, fatal.advice);
	return {
		itemIndices,
		itemIndex,
		sourceFileName: sourceFileNames(context, itemIndices, files),
		config: { ...config, ...additional.shown },
		isNoise: context.getNodeParameter('jobType', itemIndex) === 'noise',
		deliversTo: delivery?.executionId,
		hints: [
			...contradictions.map(({ message }) => ({ message })),
			...links.flatMap(({ url, message }) => (message ? [{ message, file: nameInUrl(url) }] : [])),
			...(config.video || hasTemplate ? [] : pictureHints(files)),
			...unsignedHints(delivery),
			...additional.hints,
		],
		request: {
			input: {
				files,
				config: { ...config, ...additional.sent },
				upload_type: files.length > 1 ? 'multitrack' : 'singletrack',
				...(hasTemplate && { template_id: readTemplateId(context, itemIndex) }),
			},
		},
	};
}

const NAMES_MAXIMUM = 5;

/** The names from the items if all have one, otherwise those in the URLs. */
function sourceFileNames(
	context: IExecuteFunctions,
	itemIndices: readonly number[],
	files: readonly string[],
): string {
	const given = itemIndices.flatMap((index) => sourceFileOf(context, index).sourceFileName ?? []);
	const names = given.length === itemIndices.length ? given : files.map(nameInUrl).filter(Boolean);
	return listed(names.map(sanitizeText), NAMES_MAXIMUM);
}

const VIDEO_EXTENSIONS: readonly string[] = SUPPORTED_VIDEO_EXTENSIONS;

/** A hint for each video whose picture would be lost because 'Video' is off, its default. */
function pictureHints(files: readonly string[]): RequestHint[] {
	return files
		.map(nameInUrl)
		.filter((name) => VIDEO_EXTENSIONS.includes(extensionOf(name)))
		.map((file) => ({
			file,
			message: "a video, while 'Video' is off: only the sound comes back.",
		}));
}

function readTemplateId(context: IExecuteFunctions, itemIndex: number): number {
	const options = { extractValue: true };
	const value: unknown = context.getNodeParameter('templateId', itemIndex, '', options);
	const id = parseConfigurationId(value);
	if (id !== undefined) return id;
	const { message, advice } = configurationRefusal(value);
	throw fieldError(context, itemIndex, message, advice);
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
	throw fieldError(
		context,
		itemIndex,
		`${what} cannot be used: ${findings.join('; ')}`,
		"The allowed keys and values are listed in the node's form and in the README.",
	);
}

/** A key as the user sees it: itself in JSON, its label in the form. */
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
		throw fieldError(
			context,
			itemIndex,
			`'Configuration (JSON)' is not valid JSON (${reason})`,
			'Correct the JSON; keys and texts stand in double quotes.',
		);
	}
}

/** The preset, overridden by the options that the user added. */
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
	throw fieldError(
		context,
		itemIndex,
		`'Preset' is not known: '${name}'`,
		`It is one of ${known}.`,
	);
}

/** Dropdowns return 'true' and 'false' as text; expressions return numbers as text. */
function asConfigValue(key: string, value: unknown): unknown {
	if (value === 'true') return true;
	if (value === 'false') return false;
	const isNumber = CONFIG_FIELDS.find(({ name }) => name === key)?.type === 'number';
	return isNumber && typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}
