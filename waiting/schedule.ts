import {
	FIRST_POLL_DELAY_SECONDS,
	MINIMUM_POLL_INTERVAL_SECONDS,
	POLL_INTERVAL_SECONDS,
} from '../api/contract/limits';

/**
 * When an edit may be asked about. For one edit and the defaults: 30, 40, 50, 60 … seconds after its
 * submission, every 5 s once it is in EXPORT, and once more at the deadline. For 100 edits: each about
 * every 20 s, which keeps all of them together at 300 calls a minute; for 1,000 edits that would be
 * every 200 s, so those go first that are likely to have finished (see `likelihood.ts`).
 */
export interface PollRules {
	/** Time from the submission to the first poll, in milliseconds. */
	readonly firstPollDelayMs: number;
	/** Time between two polls of one edit, in milliseconds; at least 5 s. */
	readonly pollIntervalMs: number;
	/** From the beginning of the wait to its end, in milliseconds. */
	readonly maximumWaitMs: number;
	/** When an edit that was never seen in another status than PENDING is pointed out. */
	readonly pendingNoticeMs: number;
}

/** One edit is never asked about more often than this, in milliseconds (spec "Limits"). */
export const POLL_INTERVAL_FLOOR_MS = MINIMUM_POLL_INTERVAL_SECONDS * 1_000;

/** An unknown id reads PENDING for ever; after so long, somebody should look. */
export const PENDING_NOTICE_MINUTES = 10;

/** The rhythm the spec advises, and half an hour of patience. */
export const DEFAULT_POLL_RULES: PollRules = {
	firstPollDelayMs: FIRST_POLL_DELAY_SECONDS * 1_000,
	pollIntervalMs: POLL_INTERVAL_SECONDS * 1_000,
	maximumWaitMs: 30 * 60_000,
	pendingNoticeMs: PENDING_NOTICE_MINUTES * 60_000,
};

/** The part of the interval after which an edit in EXPORT is asked about again. */
const EXPORT_INTERVAL_PART = 0.5;

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
 * The shortest time between two polls of one edit, in milliseconds: the interval wished for, less in
 * EXPORT, never under 5 s.
 */
export function pollIntervalMs({ pollIntervalMs: wishedMs }: PollRules, status: string): number {
	const part = status === 'EXPORT' ? EXPORT_INTERVAL_PART : 1;
	return Math.max(wishedMs * part, POLL_INTERVAL_FLOOR_MS);
}

/**
 * When an edit may be asked about again, in milliseconds since 1970. The last poll comes at the
 * deadline, so that an edit that finished just before it is not reported as running, unless that would
 * be within 5 s.
 */
export function nextPollAtMs(lastPollAtMs: number, intervalMs: number, deadlineMs: number): number {
	const nextMs = lastPollAtMs + intervalMs;
	const isLastChance = nextMs > deadlineMs && lastPollAtMs + POLL_INTERVAL_FLOOR_MS <= deadlineMs;
	return isLastChance ? deadlineMs : nextMs;
}
