/** Recent ends predict better than old ones: a service can become slower or faster during a wait. */
const REMEMBERED = 200;

/** The guess counts as much as this many edits that ended: those may not be typical. */
const GUESS_WEIGHT = 100;

/** How long the service worked on the edits that ended last, to predict the end of others. */
export class WorkTimes {
	/** The remembered times, oldest first. */
	private readonly latestMs: number[] = [];

	private sortedMs: number[] = [];

	/** The sum of the first 0, 1, 2 … sorted times. */
	private sumsMs: number[] = [0];

	/** Remembers that the service worked for this time on an edit. */
	note(workMs: number): void {
		this.latestMs.push(workMs);
		if (this.latestMs.length > REMEMBERED) this.latestMs.shift();
		this.sortedMs = [...this.latestMs].sort((a, b) => a - b);
		this.sumsMs = [0];
		for (const ms of this.sortedMs) this.sumsMs.push(this.sumsMs[this.sumsMs.length - 1] + ms);
	}

	/**
	 * Returns how long ago an edit is expected to have ended, in milliseconds: the mean over all possible
	 * ends by their probability, with 0 if it still runs. Unfinished edits that have run for longer count,
	 * too; without them, a new batch would look as if every edit were as short as those that ended first.
	 *
	 * @param seenMs how long the service had worked on the edit when it was seen unfinished
	 * @param nowMs how long it would have worked on it by now
	 * @param runningMs how long it had worked on each unfinished edit when that was seen, sorted
	 */
	sinceEndMs(seenMs: number, nowMs: number, runningMs: readonly number[]): number {
		const from = countUpTo(this.sortedMs, seenMs);
		const to = Math.max(from, countUpTo(this.sortedMs, nowMs));
		const knownMs = (to - from) * nowMs - (this.sumsMs[to] - this.sumsMs[from]);
		// The guess: with nothing known, it ends at any moment of its life with the same probability.
		const guessMs = nowMs > 0 ? (nowMs - seenMs) ** 2 / (2 * nowMs) : 0;
		const longer = this.sortedMs.length - from + runningMs.length - countUpTo(runningMs, seenMs);
		return (knownMs + GUESS_WEIGHT * guessMs) / (longer + GUESS_WEIGHT);
	}

	/** The most likely work time of an edit that ended between these two, in milliseconds. */
	likelyMs(fromMs: number, toMs: number): number {
		const from = countUpTo(this.sortedMs, fromMs);
		const to = Math.max(from, countUpTo(this.sortedMs, toMs));
		const sumMs = this.sumsMs[to] - this.sumsMs[from] + (fromMs + toMs) / 2;
		return sumMs / (to - from + 1);
	}
}

/** How many of the sorted numbers are not over the limit. */
export function countUpTo(sorted: readonly number[], limit: number): number {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (sorted[middle] <= limit) low = middle + 1;
		else high = middle;
	}
	return low;
}
