import type { INodeProperties } from 'n8n-workflow';
import type { ZodError } from 'zod';

import {
	type EditConfig,
	type EditConfigKey,
	editConfigSchema,
	type LocalSettings,
	localSettingsSchema,
} from '../../../api/contract';
import { messageOf } from '../../../api/failure';
import { sanitizeText } from '../../../api/sanitizeText';
import { hiderOf, secretsInLinksOf } from '../../../api/secrets';
import { CONFIG_KEYS } from './configKeys';
import { CONFIG_FIELDS } from './keyGroups';
import { LOCAL_KEY_NAMES, localFieldOf } from './localKeys';
import { LOUDNESS_FOR, withLoudness } from './loudnessFor';
import { PRESETS } from './presets';
import type { PresetName } from './presetOptions';
import { isVideo, pictureConfig } from './picture';
import type { KitPart } from './showKit';
import { fieldError } from '../form/fieldError';
import { readJson, readTemplateId } from '../form/parameters';
import type { Form } from '../form/values';
import { listed } from '../texts';
import type { NodeRun } from '../run/nodeRun';

const CONFIG_JSON_LABEL = 'Options (JSON)';

/** The names of the options that configure an edit if it is not from JSON. */
export const CONFIG_OPTIONS: readonly string[] = [
	LOUDNESS_FOR,
	...CONFIG_FIELDS.map(({ name }) => name),
];

/** How the form configures an edit. */
export interface Configuration {
	readonly config: EditConfig;
	/** Keys that are sent unchecked. */
	readonly additional: AdditionalKeys;
	/** What only the local service reads; missing if nothing is set. */
	readonly local?: LocalSettings;
	/** The files of its show, which only the local service takes; missing if there are none. */
	readonly kit?: readonly KitPart[];
	/** The names of its files that are videos. */
	readonly videos: readonly string[];
	/** The ID of the template that adds its keys, if there is one. */
	readonly templateId?: number;
	/** Whether the options come from JSON, so that errors name keys instead of fields. */
	readonly isJson: boolean;
}

/**
 * Reads how the edit of an item is configured: by a preset, a template or JSON, and by options.
 *
 * @param fileNames of the recording, which say whether it is a video
 * @throws NodeOperationError if a field cannot be used
 */
export function readConfiguration(
	run: NodeRun,
	form: Form,
	fileNames: readonly string[],
): Configuration {
	const { itemIndex, fields } = form;
	const isJson = fields.configure === 'json';
	const said = readConfig(run, form, isJson);
	const videos = fileNames.filter(isVideo);
	const config = isJson ? said : { ...said, ...pictureConfig(fields.picture, videos) };
	const additional = readAdditionalKeys(run, form, config);
	const local = readLocal(run, form);
	const hasTemplate = fields.configure === 'template';
	const templateId = hasTemplate ? readTemplateId(run, itemIndex, fields.templateId) : undefined;
	return { config, additional, videos, templateId, isJson, ...(local && { local }) };
}

function readConfig(run: NodeRun, form: Form, isJson: boolean): EditConfig {
	const { itemIndex, fields } = form;
	const raw = isJson
		? readJson(run, itemIndex, CONFIG_JSON_LABEL, fields.configJson)
		: readFields(run, form);
	const parsed = editConfigSchema.safeParse(raw);
	if (parsed.success) return parsed.data;
	const advice =
		"The form lists the allowed values; docs/options.md of this package lists the keys for 'Options (JSON)'. Other keys go into 'Additional Keys (JSON)'.";
	throw fieldError(run, itemIndex, whyUnusable(parsed.error, isJson), advice);
}

function whyUnusable({ issues }: ZodError, isJson: boolean): string {
	const findings = issues.map(({ path, message }) =>
		path.length > 0 ? `'${labelOf(path[0], isJson)}': ${message}` : message,
	);
	const what = isJson ? `'${CONFIG_JSON_LABEL}'` : 'An option';
	return `${what} cannot be used: ${findings.join('; ')}`;
}

/** The options for the local service; undefined if none is set. */
function readLocal(run: NodeRun, form: Form): LocalSettings | undefined {
	const values = setOptions(run, form, LOCAL_KEY_NAMES);
	if (values.length === 0) return undefined;
	const typed = values.map(([key, value]) => [key, asTyped(localFieldOf(key), value)]);
	const parsed = localSettingsSchema.safeParse(Object.fromEntries(typed));
	if (parsed.success) return parsed.data;
	const message = whyUnusable(parsed.error, false);
	throw fieldError(run, form.itemIndex, message, 'The form shows the allowed values.');
}

/** The options of these names that are set. @throws NodeOperationError for one that is empty */
function setOptions(
	run: NodeRun,
	{ itemIndex, options }: Form,
	names: readonly string[],
): Array<[name: string, value: unknown]> {
	const own = Object.entries(options).filter(([name]) => names.includes(name));
	const nothing = own.find(([, value]) => (value ?? undefined) === undefined);
	if (nothing === undefined) return own;
	const message = `'${labelOf(nothing[0], false)}' is empty`;
	throw fieldError(run, itemIndex, message, 'Enter a value, or remove the option.');
}

/** A key as the user sees it: itself in JSON, its label in the form. */
export function labelOf(key: string | number, isJson: boolean): string {
	const row = Object.entries(CONFIG_KEYS).find(([name]) => name === key)?.[1];
	const label = row?.field?.displayName ?? localFieldOf(key)?.displayName;
	return isJson ? String(key) : (label ?? String(key));
}

/** The preset, overridden by the options that the user added. */
function readFields(run: NodeRun, form: Form): Record<string, unknown> {
	const { itemIndex, fields } = form;
	const own = setOptions(run, form, CONFIG_OPTIONS);
	const values = own.map(([key, value]) => [key, asConfigValue(key, value)]);
	const config: Partial<Record<EditConfigKey, unknown>> = {
		...(fields.preset !== undefined && PRESETS[fields.preset as PresetName]),
		...readLoudness(run, itemIndex, Object.fromEntries(values)),
	};
	if (config.signed_url === '') delete config.signed_url;
	return config;
}

function readLoudness(
	run: NodeRun,
	itemIndex: number,
	options: Record<string, unknown>,
): Record<string, unknown> {
	if (!(LOUDNESS_FOR in options)) return options;
	try {
		return withLoudness(options);
	} catch (error) {
		const advice = "Choose 'Custom' under 'Loudness For', or remove 'Target Loudness (LUFS)'.";
		throw fieldError(run, itemIndex, messageOf(error), advice);
	}
}

/** Dropdowns return 'true' and 'false' as text. */
function asConfigValue(key: string, value: unknown): unknown {
	if (value === 'true') return true;
	if (value === 'false') return false;
	return asTyped(
		CONFIG_FIELDS.find(({ name }) => name === key),
		value,
	);
}

/** Expressions return numbers as text. */
function asTyped(field: INodeProperties | undefined, value: unknown): unknown {
	const isNumber = field?.type === 'number' && typeof value === 'string' && value.trim() !== '';
	return isNumber ? Number(value) : value;
}

/** Keys of the configuration that the contract does not know, or does not know with this value. */
interface AdditionalKeys {
	/** As they are sent. */
	readonly sent: Readonly<Record<string, unknown>>;
	/** The same without the signatures of links, for the output. */
	readonly shown: Readonly<Record<string, unknown>>;
	readonly hints: ReadonlyArray<{ readonly message: string }>;
}

const LABEL = 'Additional Keys (JSON)';

const MAX_KEYS_NAMED = 10;

const NONE: AdditionalKeys = { sent: {}, shown: {}, hints: [] };

/**
 * Reads 'Additional Keys (JSON)'.
 *
 * @param config what the other fields have set
 * @throws NodeOperationError if it is no JSON object, sets a key again, or has what a field can set
 */
function readAdditionalKeys(
	run: NodeRun,
	{ itemIndex, options }: Form,
	config: EditConfig,
): AdditionalKeys {
	const refuse = (what: string, advice: string) =>
		fieldError(run, itemIndex, `'${LABEL}' ${what}`, advice);
	const { additionalKeys: value = '' } = options;
	const isEmpty = typeof value === 'string' && value.trim() === '';
	const parsed = isEmpty ? {} : readJson(run, itemIndex, LABEL, value);
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw refuse('is not a JSON object', 'Enter keys and values in curly brackets.');
	}
	const sent = Object.fromEntries(Object.entries(parsed));
	const names = Object.keys(sent);
	if (names.length === 0) return NONE;
	for (const name of names) {
		const refusal = refusalOfKnown(name, sent[name], config);
		if (refusal) throw refuse(refusal.what, refusal.advice);
	}
	const hider = hiderOf(secretsInLinksOf(sent));
	const shown = Object.fromEntries(names.map((name) => [name, hider.value(sent[name])]));
	const list = sanitizeText(listed(names, MAX_KEYS_NAMED));
	return { sent, shown, hints: [{ message: `Additional keys were sent unchecked: ${list}.` }] };
}

/** A known key may only be set if nothing else sets it, and no field can. */
function refusalOfKnown(
	name: string,
	value: unknown,
	config: EditConfig,
): { what: string; advice: string } | undefined {
	if (!Object.hasOwn(editConfigSchema.shape, name)) return undefined;
	if (Object.hasOwn(config, name)) {
		const advice = 'Remove it here, or where the preset, an option or the JSON sets it.';
		return { what: `sets '${name}', which is already set`, advice };
	}
	if (CONFIG_KEYS[name as EditConfigKey].field === undefined) return undefined;
	if (!editConfigSchema.safeParse({ [name]: value }).success) return undefined;
	const advice = "Set it in its own field, or in 'Options (JSON)', where it is checked.";
	return { what: `sets '${name}', for which the form has a field`, advice };
}
