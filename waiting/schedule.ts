import {
	FIRST_POLL_DELAY_SECONDS,
	MINIMUM_POLL_INTERVAL_SECONDS,
	POLL_INTERVAL_SECONDS,
	RATE_WINDOW_MS,
} from '../api/contract';

/**
 * When an edit is asked about. For one edit and the defaults: 30, 40, 50, 60 … seconds after its
 * submission, and once more at the deadline. For 100 edits: each every 20 s, which keeps all of
 * them together at 300 calls a minute; for 1,000 edits each every 200 s.
 */
export interface PollRules {
	/** Time from the submission to the first poll, in milliseconds. */
	readonly firstPollDelayMs: number;
	/** Time between two polls of one edit, in milliseconds; at least 5 s. */
	readonly pollIntervalMs: number;
	/** From the beginning of the wait to its end, in milliseconds. */
	readonly maximumWaitMs: number;
}

/** One edit is never asked about more often than this, in milliseconds (spec "Limits"). */
export const POLL_INTERVAL_FLOOR_MS = MINIMUM_POLL_INTERVAL_SECONDS * 1_000;

/** The rhythm the spec advises, and half an hour of patience. */
export const DEFAULT_POLL_RULES: PollRules = {
	firstPollDelayMs: FIRST_POLL_DELAY_SECONDS * 1_000,
	pollIntervalMs: POLL_INTERVAL_SECONDS * 1_000,
	maximumWaitMs: 30 * 60_000,
};

/**
 * When to ask about an edit for the first time, in milliseconds since 1970.
 *
 * @param submittedAtMs when the edit was created, where that is known
 */
export function firstPollAtMs(
	{ firstPollDelayMs }: PollRules,
	startedAtMs: number,
	submittedAtMs: number = startedAtMs,
): number {
	return Math.max(startedAtMs, submittedAtMs + Math.max(0, firstPollDelayMs));
}

/**
 * The time between two polls of one edit, in milliseconds: the interval wished for, never under 5 s,
 * and wide enough that all unfinished edits together stay within the calls a minute.
 */
export function pollIntervalMs(
	rules: PollRules,
	unfinishedEdits: number,
	callsPerMinute: number,
): number {
	const fairShareMs = (unfinishedEdits * RATE_WINDOW_MS) / callsPerMinute;
	return Math.max(rules.pollIntervalMs, POLL_INTERVAL_FLOOR_MS, fairShareMs);
}

/**
 * When to ask again, in milliseconds since 1970. The last poll comes at the deadline, so that an edit
 * that finished just before it is not reported as running, unless that would be within 5 s.
 */
export function nextPollAtMs(lastPollAtMs: number, intervalMs: number, deadlineMs: number): number {
	const nextMs = lastPollAtMs + intervalMs;
	const isLastChance = nextMs > deadlineMs && lastPollAtMs + POLL_INTERVAL_FLOOR_MS <= deadlineMs;
	return isLastChance ? deadlineMs : nextMs;
}
