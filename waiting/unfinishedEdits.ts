import type { PolledEdit } from './polledEdit';

/**
 * Every fourth poll goes to the edit that was asked about longest ago. Otherwise edits that stay at work
 * for hours would hide those that are PENDING.
 */
const FAIR_POLL_EVERY = 4;

/**
 * The edits of a wait that have not ended, and which of them to ask about next: those at work before those
 * that are PENDING, and of both the one asked about longest ago.
 */
export class UnfinishedEdits {
	private readonly edits: Set<PolledEdit>;

	private polls = 0;

	constructor(edits: readonly PolledEdit[]) {
		this.edits = new Set(edits);
	}

	add(edit: PolledEdit): void {
		this.edits.add(edit);
	}

	/** Removes an edit that needs no more polls. */
	remove(edit: PolledEdit): void {
		this.edits.delete(edit);
	}

	get size(): number {
		return this.edits.size;
	}

	all(): PolledEdit[] {
		return [...this.edits];
	}

	/** Those whose time is up, without those that are being asked about. */
	late(nowMs: number): PolledEdit[] {
		return this.all().filter(({ isInFlight, deadlineMs }) => !isInFlight && deadlineMs <= nowMs);
	}

	/** Returns the edit to ask about next, of those that are due; undefined if none is. */
	next(nowMs: number): PolledEdit | undefined {
		const isFair = this.polls % FAIR_POLL_EVERY === FAIR_POLL_EVERY - 1;
		let best: PolledEdit | undefined;
		for (const edit of this.edits) {
			if (!edit.isDue(nowMs)) continue;
			if (best === undefined || isBefore(edit, best, isFair)) best = edit;
		}
		if (best !== undefined) this.polls += 1;
		return best;
	}

	/**
	 * When the next edit can be asked about or its time is up, in milliseconds since 1970; infinity if
	 * all are being asked.
	 *
	 * @param freeAtMs when the rate limit allows the next poll
	 */
	nextTurnAtMs(nowMs: number, freeAtMs: number): number {
		let pollAtMs = Infinity;
		let endAtMs = Infinity;
		for (const { isInFlight, nextPollAtMs, deadlineMs } of this.edits) {
			if (isInFlight) continue;
			if (nextPollAtMs < pollAtMs) pollAtMs = nextPollAtMs;
			if (deadlineMs > nowMs && deadlineMs < endAtMs) endAtMs = deadlineMs;
		}
		return Math.min(Math.max(pollAtMs, freeAtMs), endAtMs);
	}
}

function isBefore(edit: PolledEdit, other: PolledEdit, isFair: boolean): boolean {
	if (!isFair && edit.isAtWork !== other.isAtWork) return edit.isAtWork;
	return edit.lastAskedAtMs < other.lastAskedAtMs;
}
