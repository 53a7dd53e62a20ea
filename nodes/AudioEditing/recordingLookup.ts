import type { Recordings } from './recordings';
import { fieldError } from '../shared/form/parameters';
import type { NodeRun } from '../shared/run/nodeRun';
import { forgetEdited, isSkipped } from '../shared/skip/skipEdited';
import type { SkipWay } from '../shared/skip/skipFields';
import {
	type Identity,
	type SkipChoice,
	type SkipRule,
	readSkipChoice,
	skipRuleFor,
} from '../shared/skip/skipRule';

/** A recording that this node submitted before, and the rule that recognised it. */
export interface SkippedRecording {
	readonly skippedBy: SkipRule;
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
): SkipChoice | undefined {
	const choice = readSkipChoice(run, itemIndex);
	if (choice === undefined || choice.way === 'value' || choice.way === ownWay) return choice;
	const message = `'Skip Recordings Already Edited' is set to '${LABELS[choice.way]}', and the recording is a ${ownWay === 'url' ? 'URL' : 'file'}`;
	const advice = `Choose '${LABELS[ownWay]}' or 'By Your Own Value'.`;
	throw fieldError(run, itemIndex, message, advice);
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
		private readonly choice?: SkipChoice,
	) {}

	/**
	 * The recording as skipped, if this node has submitted it before, in any execution or for another item;
	 * undefined if it has not, or if recordings already edited are not skipped.
	 *
	 * @throws NodeOperationError if an earlier submission is uncertain, or n8n cannot look it up; NodeApiError
	 * if the run has ended
	 */
	async skipped(identity: Identity): Promise<SkippedRecording | undefined> {
		if (this.choice === undefined) return undefined;
		const rule = skipRuleFor(this.choice, identity);
		this.rule = rule;
		this.release = await this.recordings.claim(this.itemIndex, rule.key);
		if (await isSkipped(this.recordings.run, this.itemIndex, rule)) return { skippedBy: rule };
		this.isOpen = true;
		return undefined;
	}

	/** Gives its rule to the submission, which from here on remembers what becomes of the recording. */
	handOver(): SkipRule | undefined {
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
