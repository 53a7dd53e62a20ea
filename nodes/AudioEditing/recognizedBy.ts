import { fieldError } from '../core/form/parameters';
import type { NodeRun } from '../core/run/nodeRun';
import type { SkipWay } from '../core/skip/fields';
import { type SkipChoice, readSkipChoice } from '../core/skip/skipRule';

const LABELS: Readonly<Record<Exclude<SkipWay, 'value'>, string>> = {
	content: 'By Content',
	nameAndSize: 'By File Name and Size',
	url: 'By URL',
};

/** What a recording from each source can be recognized by, besides the user's value. */
const WAYS = { url: ['url'], file: ['nameAndSize', 'content'] } as const;

/**
 * Reads how the recording of an item is recognized; undefined if that is off.
 *
 * @throws NodeOperationError for a way that the source does not have, and for an empty value
 */
export function readRecognizedBy(
	run: NodeRun,
	itemIndex: number,
	source: keyof typeof WAYS,
): SkipChoice | undefined {
	const choice = readSkipChoice(run, itemIndex);
	if (choice === undefined || choice.way === 'value') return choice;
	const ways: readonly SkipWay[] = WAYS[source];
	if (ways.includes(choice.way)) return choice;
	const message = `'Skip Recordings Already Edited' is set to '${LABELS[choice.way]}', and the recording is a ${source === 'url' ? 'URL' : 'file'}`;
	const labels = [...WAYS[source].map((way) => LABELS[way]), 'By Your Own Value'];
	const advice = `Choose ${labels.map((label) => `'${label}'`).join(' or ')}.`;
	throw fieldError(run, itemIndex, message, advice);
}
