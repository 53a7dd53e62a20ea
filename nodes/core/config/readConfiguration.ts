import type { IDataObject } from 'n8n-workflow';

import { type EditConfig, type EditConfigKey, editConfigSchema } from '../../../api/contract';
import { messageOf } from '../../../api/failure';
import { sanitizeText } from '../../../api/sanitizeText';
import { hiderOf, secretsInLinksOf } from '../../../api/secrets';
import { CONFIG_FIELDS, NOT_FOR_NOISE } from './configFields';
import { LOUDNESS_FOR, withLoudness } from './loudnessFor';
import { type PresetName, PRESETS } from './presets';
import { fieldError, readJson, readTemplateId } from '../form/parameters';
import { listed, switchOf } from '../form/texts';
import type { NodeRun } from '../run/nodeRun';

const CONFIG_JSON_LABEL = 'Options (JSON)';

/** The names of the options that configure an edit if it is not from JSON. */
export const CONFIG_OPTIONS: readonly string[] = [
	LOUDNESS_FOR,
	...CONFIG_FIELDS.map(({ name }) => name),
];

type ConfigSource = 'fields' | 'template' | 'json';

/** How the form configures an edit. */
export interface Configuration {
	readonly config: EditConfig;
	/** Keys that are sent unchecked. */
	readonly additional: AdditionalKeys;
	/** The ID of the template that adds its keys, if there is one. */
	readonly templateId?: number;
}

/**
 * Reads how the edit of an item is configured: by a preset, a template or JSON, and by options.
 *
 * @param isNoise whether the edit is noise reduction, which has no preset. n8n keeps the values of the
 * fields that the form then hides.
 * @throws NodeOperationError if a field cannot be used
 */
export function readConfiguration(run: NodeRun, itemIndex: number, isNoise = false): Configuration {
	const config = readConfig(run, itemIndex, isNoise);
	const additional = readAdditionalKeys(run, itemIndex, config);
	const hasTemplate = sourceOf(run, itemIndex) === 'template';
	const templateId = hasTemplate ? readTemplateId(run, itemIndex, 'templateId') : undefined;
	return { config, additional, templateId };
}

function sourceOf(run: NodeRun, itemIndex: number): ConfigSource {
	return run.parameter('configure', itemIndex) as ConfigSource;
}

function readConfig(run: NodeRun, itemIndex: number, isNoise: boolean): EditConfig {
	const isJson = sourceOf(run, itemIndex) === 'json';
	const raw = isJson
		? readJson(run, itemIndex, CONFIG_JSON_LABEL, run.parameter('configJson', itemIndex))
		: readFields(run, itemIndex, isNoise);
	const parsed = editConfigSchema.safeParse(raw);
	if (parsed.success) return parsed.data;
	const findings = parsed.error.issues.map(({ path, message }) =>
		path.length > 0 ? `'${labelOf(path[0], isJson)}': ${message}` : message,
	);
	const what = isJson ? `'${CONFIG_JSON_LABEL}'` : 'An option';
	const message = `${what} cannot be used: ${findings.join('; ')}`;
	const advice =
		"The form lists the allowed values; docs/options.md of this package lists the keys for 'Options (JSON)'. Other keys go into 'Additional Keys (JSON)'.";
	throw fieldError(run, itemIndex, message, advice);
}

/** A key as the user sees it: itself in JSON, its label in the form. */
export function labelOf(key: string | number, isJson: boolean): string {
	const label = CONFIG_FIELDS.find(({ name }) => name === key)?.displayName;
	return isJson || label === undefined ? String(key) : label;
}

/** The preset, overridden by the options that the user added. */
function readFields(run: NodeRun, itemIndex: number, isNoise: boolean): Record<string, unknown> {
	const added = run.parameter('options', itemIndex, {}) as IDataObject;
	const options = Object.entries(added).filter(
		([name]) => CONFIG_OPTIONS.includes(name) && !(isNoise && NOT_FOR_NOISE.has(name)),
	);
	const nothing = options.find(([, value]) => (value ?? undefined) === undefined);
	if (nothing !== undefined) {
		const message = `'${labelOf(nothing[0], false)}' is empty`;
		throw fieldError(run, itemIndex, message, 'Enter a value, or remove the option.');
	}
	const hasPreset = sourceOf(run, itemIndex) === 'fields' && !isNoise;
	const config: Partial<Record<EditConfigKey, unknown>> = {
		...(hasPreset && PRESETS[run.parameter('preset', itemIndex) as PresetName]),
		...readLoudness(
			run,
			itemIndex,
			Object.fromEntries(options.map(([key, value]) => [key, asConfigValue(key, value)])),
		),
	};
	if (config.signed_url === '') delete config.signed_url;
	return config;
}

function readLoudness(
	run: NodeRun,
	itemIndex: number,
	options: Record<string, unknown>,
): Record<string, unknown> {
	try {
		return withLoudness(options);
	} catch (error) {
		const advice = "Choose 'Custom' under 'Loudness For', or remove 'Target Loudness (LUFS)'.";
		throw fieldError(run, itemIndex, messageOf(error), advice);
	}
}

/** Dropdowns return 'true' and 'false' as text; expressions return numbers as text. */
function asConfigValue(key: string, value: unknown): unknown {
	if (value === 'true') return true;
	if (value === 'false') return false;
	const type = CONFIG_FIELDS.find(({ name }) => name === key)?.type;
	if (type === 'boolean') return switchOf(value) ?? value;
	return type === 'number' && typeof value === 'string' && value.trim() !== ''
		? Number(value)
		: value;
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

const KEYS_NAMED_AT_MOST = 10;

const NONE: AdditionalKeys = { sent: {}, shown: {}, hints: [] };

/**
 * Reads 'Additional Keys (JSON)'.
 *
 * @param config what the other fields have set
 * @throws NodeOperationError if it is no JSON object, sets a key again, or has what a field can set
 */
function readAdditionalKeys(run: NodeRun, itemIndex: number, config: EditConfig): AdditionalKeys {
	const refuse = (what: string, advice: string) =>
		fieldError(run, itemIndex, `'${LABEL}' ${what}`, advice);
	const value: unknown = run.option('additionalKeys', itemIndex, '');
	const isEmpty = typeof value === 'string' && value.trim() === '';
	const parsed = isEmpty ? {} : readJson(run, itemIndex, LABEL, value);
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw refuse('is not a JSON object', 'Enter keys and values in curly brackets.');
	}
	const sent = Object.fromEntries(Object.entries(parsed));
	const names = Object.keys(sent);
	if (names.length === 0) return NONE;
	for (const name of names) refuseKnown(name, sent[name], config, refuse);
	const hider = hiderOf(secretsInLinksOf(sent));
	const shown = Object.fromEntries(names.map((name) => [name, hider.value(sent[name])]));
	const list = sanitizeText(listed(names, KEYS_NAMED_AT_MOST));
	return { sent, shown, hints: [{ message: `Additional keys were sent unchecked: ${list}.` }] };
}

type Refuse = (what: string, advice: string) => Error;

/** A known key may only have a value that no field offers, and only if nothing else sets the key. */
function refuseKnown(name: string, value: unknown, config: EditConfig, refuse: Refuse): void {
	if (!Object.hasOwn(editConfigSchema.shape, name)) return;
	if (Object.hasOwn(config, name)) {
		throw refuse(
			`sets '${name}', which is already set`,
			'Remove it here, or where the preset, an option or the JSON sets it.',
		);
	}
	if (editConfigSchema.safeParse({ [name]: value }).success) {
		throw refuse(
			`sets '${name}', for which the form has a field`,
			"Set it in its own field, or in 'Options (JSON)', where it is checked.",
		);
	}
}
