import { forgetEdited, isSkipped } from './skipEdited';
import type { SkipRule } from './skipRule';
import { type RecognisedBy, ruleFor } from './recognisedBy';
import type { Recordings } from '../../AudioEditing/recordings';

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
