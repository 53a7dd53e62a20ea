import { type EditConfig, type EditConfigKey, resolveEditConfig } from '../../api/contract';
import { CONFIG_KEYS } from '../core/config/configKeys';
import { PRESETS } from '../core/config/presets';
import { PRESET_OPTIONS } from '../core/config/presetOptions';
import { type Configuration, labelOf } from '../core/config/readConfiguration';
import { fieldError } from '../core/form/fieldError';
import { labelOfGroup } from '../core/form/optionGroups';
import type { Form } from '../core/form/values';
import type { NodeRun } from '../core/run/nodeRun';
import type { RequestHint } from '../core/submit/prepareEdit';
import { inWords } from '../core/texts';
import { type Wanted, refuseInFormat, resolvedConfig } from './outputFormats';

/**
 * Switches on what the wanted outputs need, unless a person has switched it off. JSON says itself what is on. What a
 * template switches on is not known here, so with a template this only adds a hint for each output.
 *
 * @throws NodeOperationError for outputs that the edit cannot give, before it is charged
 */
export function withOutputs(
	run: NodeRun,
	{ itemIndex, options }: Form,
	configuration: Configuration,
	wanted: readonly Wanted[],
): { configuration: Configuration; hints: RequestHint[] } {
	const lacking = wanted.filter(isMissingIn(resolvedConfig(configuration)));
	if (configuration.templateId !== undefined) {
		const hints = lacking.map(({ output, keys }) => ({
			message: `${output} will be left out unless the template switches ${labelsOf(keys)} on.`,
		}));
		return { configuration, hints };
	}
	const { isJson } = configuration;
	// Of several options that would do, a person has to choose one.
	const needed = lacking.flatMap(({ keys }) => (keys.length === 1 ? keys : []));
	const switched = isJson ? [] : needed.filter((key) => options[key] === undefined);
	const config = {
		...configuration.config,
		...Object.fromEntries(switched.map((key) => [key, true])),
	};
	const complete = { ...configuration, config };
	const missing = lacking.filter(isMissingIn(resolvedConfig(complete)));
	if (missing.length === 0) {
		for (const one of wanted) refuseInFormat(run, itemIndex, complete, one);
		return { configuration: complete, hints: [] };
	}
	const { message, advice } = missingOutputs(missing, isJson);
	throw fieldError(run, itemIndex, message, advice);
}

/** Whether a configuration lacks what an output needs. */
function isMissingIn(config: Required<EditConfig>) {
	return ({ keys }: Wanted) => !keys.some((key) => config[key]);
}

/** The options of which an output needs one, in the form's words. */
function labelsOf(keys: readonly EditConfigKey[], isJson = false): string {
	return keys.map((key) => `'${labelOf(key, isJson)}'`).join(' or ');
}

/** Why outputs cannot be had, and where to switch on what they need, or which presets have it. */
function missingOutputs(missing: readonly Wanted[], isJson: boolean) {
	const outputsByNeed = new Map<string, string[]>();
	for (const { output, keys } of missing) {
		const need = labelsOf(keys, isJson);
		outputsByNeed.set(need, [...(outputsByNeed.get(need) ?? []), `'${output}'`]);
	}
	const needs = [...outputsByNeed].map(
		([need, outputs]) => `${inWords(outputs)} ${outputs.length > 1 ? 'need' : 'needs'} ${need}`,
	);
	const keys = [...new Set(missing.flatMap((one) => one.keys))];
	const off = [', which is off', ': both are off'].at(keys.length - 1) ?? ': all are off';
	const before = needs.slice(0, -1).join(', ');
	const message = `${before}${before && ', and '}${needs.at(-1)}${off}`;
	const fitting = PRESET_OPTIONS.filter(
		({ value }) => !missing.some(isMissingIn(resolveEditConfig(PRESETS[value]))),
	);
	const presets = fitting.map(({ name }) => `'${name}'`).join(' or ');
	const orPreset = presets === '' || isJson ? '' : `set 'Preset' to ${presets}, `;
	const output = missing.length > 1 ? 'these outputs' : 'this output';
	const advice = `Switch on ${placesOf(missing, isJson)}, ${orPreset}or do not ask for ${output}.`;
	return { message, advice };
}

/** What to switch on, and where that is. */
function placesOf(missing: readonly Wanted[], isJson: boolean): string {
	const placeOf = (key: EditConfigKey) =>
		`under ${labelOfGroup(CONFIG_KEYS[key].group ?? 'advanced')}`;
	const places = new Set(missing.flatMap(({ keys }) => keys.map(placeOf)));
	const isOne = isJson || places.size === 1;
	const labels = missing.map(({ keys }) =>
		keys.map((key) => `${labelsOf([key], isJson)}${isOne ? '' : ` ${placeOf(key)}`}`).join(' or '),
	);
	const [place] = isJson ? ["in 'Options (JSON)'"] : places;
	return `${inWords([...new Set(labels)])}${isOne ? ` ${place}` : ''}`;
}
