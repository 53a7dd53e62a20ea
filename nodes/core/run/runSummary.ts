import { MAX_NAMED, listed } from '../texts';

/** What became of an item in the end: a verb such as `edited`, and more about it. */
interface End {
	readonly what: string;
	/** Why it was skipped, or the name of a failed recording. */
	readonly about?: string;
}

/** Sums up a run in one line, for a person who sees no log. */
export class RunSummary {
	private readonly ends = new Map<number, End>();

	/**
	 * @param verb what is done to an item, such as `edited`
	 * @param total how many there are
	 */
	constructor(
		private readonly verb: string,
		private readonly total: number,
	) {}

	/** Notes how an item ended; what was noted first stays. */
	done(itemIndex: number): void {
		this.note(itemIndex, { what: this.verb });
	}

	stillRunning(itemIndex: number): void {
		this.note(itemIndex, { what: 'still running' });
	}

	/** @param why in a few words */
	skipped(itemIndex: number, why: string): void {
		this.note(itemIndex, { what: 'skipped', about: why });
	}

	/** @param name of the recording, empty if unknown */
	failed(itemIndex: number, name: string): void {
		this.note(itemIndex, { what: 'failed', about: name });
	}

	/** Whether a person needs the line: a single item says itself that it was edited or why it failed. */
	get isWorthwhile(): boolean {
		return this.total > 1 || [...this.ends.values()].some(({ what }) => what === 'skipped');
	}

	/** Such as `297 edited, 2 skipped (edited before), 1 failed: rec-150.mp3`; and what a failure left unfinished. */
	text(): string {
		const parts = [this.verb, 'still running', 'skipped', 'failed'].flatMap((what) => {
			const ends = [...this.ends.values()].filter((end) => end.what === what);
			if (ends.length === 0) return [];
			const about = [...new Set(ends.flatMap((end) => end.about || []))];
			const shown = listed(about, MAX_NAMED);
			const more = what === 'skipped' ? ` (${shown})` : `: ${shown}`;
			return [`${ends.length} ${what}${about.length > 0 ? more : ''}`];
		});
		const unfinished = this.total - this.ends.size;
		if (unfinished > 0) parts.push(`${unfinished} not finished`);
		return parts.join(', ');
	}

	private note(itemIndex: number, end: End): void {
		if (!this.ends.has(itemIndex)) this.ends.set(itemIndex, end);
	}
}
