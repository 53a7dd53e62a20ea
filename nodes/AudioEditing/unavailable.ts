import { type EditConfigKey, resolveEditConfig } from '../../api/contract';
import type { RequestHint } from '../CreateEdit/prepareEdit';
import { type Configuration, labelOf } from '../CreateEdit/config/readConfiguration';
import { DELIVERED_FOR } from '../GetResult/download/downloads';
import type { ResultOptions } from '../GetResult/fetchResult';
import { FORMAT_OPTIONS } from '../GetResult/texts/formatFields';
import type { NodeRun } from '../shared/run/nodeRun';
import { fieldError } from '../shared/form/parameters';

/** An output that the form asks for, and the options of which one must be on for it. */
type Wanted = readonly [output: string, ...keys: EditConfigKey[]];

function wantedOf(options: ResultOptions): Wanted[] {
	const { formatKinds, downloads, tagging, cutsSoundbites } = options;
	// A feed item can be made without a summary, from the fields of the form.
	const texts = formatKinds.filter(({ name }) => name !== 'feedItem');
	return [
		...texts.map(({ name, configKey }): Wanted => {
			const option = FORMAT_OPTIONS.find(({ value }) => value === name);
			return [option?.name ?? name, configKey];
		}),
		...DELIVERED_FOR.filter(({ kind }) => downloads.includes(kind)).map(
			({ title, keys }): Wanted => [title, ...keys],
		),
		...(tagging?.chapters === 'summary' ? [['Chapters to Embed', 'summarize'] as const] : []),
		...(cutsSoundbites ? [['Cut Soundbites', 'transcription'] as const] : []),
	];
}

/**
 * Refuses outputs that the configuration of an edit cannot give, before it is charged. What a template
 * switches on is not known here, so with a template this only returns a hint for each.
 *
 * @throws NodeOperationError if an output cannot be had
 */
export function checkOutputs(
	run: NodeRun,
	itemIndex: number,
	{ config, additional, templateId }: Configuration,
	options: ResultOptions,
): RequestHint[] {
	const resolved = resolveEditConfig({ ...config, ...additional.sent });
	const isJson = run.parameter('configure', itemIndex) === 'json';
	const missing = wantedOf(options).filter(([, ...keys]) => !keys.some((key) => resolved[key]));
	return missing.map(([output, ...keys]) => {
		const labels = keys.map((key) => `'${labelOf(key, isJson)}'`).join(' or ');
		if (templateId !== undefined) {
			return { message: `${output} will be left out unless the template has ${labels} on.` };
		}
		const message = `'${output}' needs ${labels}, which is off`;
		const advice = `Switch ${labels} on, choose a preset that includes it, or do not ask for '${output}'.`;
		throw fieldError(run, itemIndex, message, advice);
	});
}
