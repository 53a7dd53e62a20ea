import type { Source } from '../../Upload/source';
import { unsigned } from './identity';
import { fieldError } from '../form/parameters';
import type { SkipWay } from './skipFields';
import {
	type SkipChoice,
	type SkipRule,
	namesAndSizes,
	readSkipChoice,
	readSkipValue,
	skipRuleFor,
} from './skipRule';
import type { NodeRun } from '../run/nodeRun';

/** How a recording is recognised that an earlier execution submitted. */
export interface RecognisedBy extends SkipChoice {
	/** The user's value, where that is the way. */
	readonly value?: string;
}

const LABELS = { url: 'By URL', nameAndSize: 'By File Name and Size' } as const;

/**
 * Reads how the recording of an item is recognised; undefined if that is off.
 *
 * @param ownWay what a recording from this source has: a URL, or files
 * @throws NodeOperationError for a way that the source does not have, and for an empty value
 */
export function readRecognisedBy(
	run: NodeRun,
	itemIndex: number,
	ownWay: Exclude<SkipWay, 'value'>,
): RecognisedBy | undefined {
	const choice = readSkipChoice(run, itemIndex);
	if (choice === undefined) return undefined;
	if (choice.way === 'value') return { ...choice, value: readSkipValue(run, itemIndex) };
	if (choice.way === ownWay) return choice;
	const message = `'Skip Recordings Already Edited' is set to '${LABELS[choice.way]}', and the recording is a ${ownWay === 'url' ? 'URL' : 'file'}`;
	const advice = `Choose '${LABELS[ownWay]}' or 'By Your Own Value'.`;
	throw fieldError(run, itemIndex, message, advice);
}

/** The rule for a recording, from its value, its files or its URLs. */
export function ruleFor(
	by: RecognisedBy,
	{ sources = [], urls = [] }: { sources?: readonly Source[]; urls?: readonly string[] },
): SkipRule {
	switch (by.way) {
		case 'value':
			return skipRuleFor(by, [by.value ?? '']);
		case 'nameAndSize':
			return skipRuleFor(by, namesAndSizes(sources));
		case 'url':
			return skipRuleFor(by, urls.map(unsigned));
	}
}
