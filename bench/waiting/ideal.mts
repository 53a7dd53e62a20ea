import { RateLimit } from '../../waiting/rateLimit.ts';
import { DEFAULT_POLL_RULES, countUpTo } from '../../waiting/schedule.ts';
import { mean } from '../median.mts';
import type { Batch } from './batch.mts';

const CALLS_PER_MINUTE = 300;
const FIRST_POLL_SECONDS = DEFAULT_POLL_RULES.firstPollDelayMs / 1_000;
const INTERVAL_SECONDS = DEFAULT_POLL_RULES.pollIntervalMs / 1_000;

/**
 * Returns the wall time of a client that keeps the same limits and knows every finishing time. It polls
 * each edit once, as soon as it is done, not before 30 s. It never polls more than 300 times a minute.
 */
export function idealWallSeconds({ spans }: Batch): number {
	const rateLimit = new RateLimit({ callsPerMinute: CALLS_PER_MINUTE, burst: CALLS_PER_MINUTE });
	const ends = spans.map(({ endSeconds }) => endSeconds).sort((a, b) => a - b);
	let atMs = 0;
	for (const endSeconds of ends) {
		const earliestMs = Math.max(endSeconds, FIRST_POLL_SECONDS) * 1_000;
		atMs = rateLimit.nextFreeAtMs(Math.max(earliestMs, atMs));
		rateLimit.take(atMs);
	}
	return atMs / 1_000;
}

/**
 * Returns the mean detection lag, in seconds, of an ideal client. It knows at every moment which edits are
 * at work, but not when they will be done. It shares the calls evenly among those, each at most every
 * 10 s. On average, it therefore finds an edit half such a round after its end.
 */
export function idealMeanLag({ spans }: Batch): number {
	const starts = spans.map(({ startSeconds }) => startSeconds).sort((a, b) => a - b);
	const ends = spans.map(({ endSeconds }) => endSeconds).sort((a, b) => a - b);
	const rounds = ends.map((end, index) => {
		const inProcess = countUpTo(starts, end) - index;
		return Math.max(INTERVAL_SECONDS, (inProcess * 60) / CALLS_PER_MINUTE);
	});
	return mean(rounds) / 2;
}
