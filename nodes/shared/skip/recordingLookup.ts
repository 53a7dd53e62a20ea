import type { Recordings } from '../../AudioEditing/recordings';
import type { Source } from '../../Upload/source';
import { fieldError } from '../form/parameters';
import type { NodeRun } from '../run/nodeRun';
import { unsigned } from './identity';
import { forgetEdited, isSkipped } from './skipEdited';
import type { SkipWay } from './skipFields';
import {
	type SkipChoice,
	type SkipRule,
	namesAndSizes,
	readSkipChoice,
	readSkipValue,
	skipRuleFor,
} from './skipRule';

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
function ruleFor(
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

/**
 * A recording in n8n's memory of recordings already edited, from its lookup to its submission. Look it up
 * as late as possible: what a crash interrupts after the lookup counts as uncertain.
 */
export class RecordingLookup {
	private rule?: SkipRule;

	private isOpen = false;

	private release = () => {};

	constructor(
		private readonly recordings: Recordings,
		private readonly itemIndex: number,
		private readonly by?: RecognisedBy,
	) {}

	/**
	 * The rule by which this node has submitted the recording before, in any execution or for another item;
	 * undefined if it has not, or if recordings already edited are not skipped.
	 *
	 * @throws NodeOperationError if an earlier submission is uncertain, or n8n cannot look it up; NodeApiError
	 * if the run has ended
	 */
	async knownBy(recording: Parameters<typeof ruleFor>[1]): Promise<SkipRule | undefined> {
		if (this.by === undefined) return undefined;
		const rule = ruleFor(this.by, recording);
		this.rule = rule;
		this.release = await this.recordings.claim(this.itemIndex, rule.key);
		if (await isSkipped(this.recordings.run, this.itemIndex, rule)) return rule;
		this.isOpen = true;
		return undefined;
	}

	/** The rule for the submission, which from here on remembers what becomes of the recording. */
	submitting(): SkipRule | undefined {
		this.isOpen = false;
		return this.rule;
	}

	/** Forgets the recording if nothing was submitted, and lets other items with it go on. */
	async end(): Promise<void> {
		try {
			if (this.isOpen && this.rule) await forgetEdited(this.recordings.run, this.rule);
		} finally {
			this.release();
		}
	}
}
