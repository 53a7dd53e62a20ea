import type { SubmittedEdit } from './waitReport';
import {
	FIRST_POLL_DELAY_SECONDS,
	MIN_POLL_INTERVAL_SECONDS,
	POLL_INTERVAL_SECONDS,
} from '../api/contract/limits';

/**
 * When the loop may ask about an edit. One edit with the defaults: 30, 40, 50, 60 … seconds after its
 * submission, and again at the deadline. With 100 edits the rate limit of 300
 * polls a minute allows one every 20 s for each. With 1,000 it would be every 200 s: `UnfinishedEdits`
 * says which go first.
 */
export interface PollRules {
	/** Time from the submission to the first poll, in milliseconds. */
	readonly firstPollDelayMs: number;
	/** Whether a person has set that, so that no service can ask for another time. */
	readonly isFirstPollSet?: boolean;
	/** Time between two polls of one edit, in milliseconds; at least 5 s. */
	readonly pollIntervalMs: number;
	/** From the beginning of the wait to its end, in milliseconds. */
	readonly maxWaitMs: number;
	/** Whether a person has set that, so that it also ends the wait for a review. */
	readonly isMaxWaitSet?: boolean;
	/** Time from the submission until the loop warns of an edit that was never seen but PENDING. */
	readonly pendingNoticeMs: number;
}

/** Shortest time between two polls of one edit, in milliseconds (api.md#limits). */
export const MIN_POLL_INTERVAL_MS = MIN_POLL_INTERVAL_SECONDS * 1_000;

/** An unknown ID stays PENDING forever: after this time the user should check it. */
export const PENDING_NOTICE_MINUTES = 10;

/** The intervals that api.md#limits advises, for half an hour. */
export const DEFAULT_POLL_RULES: PollRules = {
	firstPollDelayMs: FIRST_POLL_DELAY_SECONDS * 1_000,
	pollIntervalMs: POLL_INTERVAL_SECONDS * 1_000,
	maxWaitMs: 30 * 60_000,
	pendingNoticeMs: PENDING_NOTICE_MINUTES * 60_000,
};

/** The first poll of a service on this machine, which edits a short recording in seconds. */
export const FIRST_POLL_OF_LOOPBACK_MS = 3_000;

/** After a first poll before this time, the second is at it, both since the submission. */
const EARLY_SECOND_POLL_MS = 10_000;

/** A service cannot put the next poll off by more than this. */
export const MAX_POLL_AFTER_MS = 5 * 60_000;

/** Returns the time of an edit's first poll, in milliseconds since 1970. */
export function firstPollAtMs(
	{ firstPollDelayMs, isFirstPollSet }: PollRules,
	startedAtMs: number,
	{ submittedAtMs = startedAtMs, firstPollAfterMs }: Omit<SubmittedEdit, 'editId'> = {},
): number {
	const isAsked = !isFirstPollSet && firstPollAfterMs !== undefined;
	const delayMs = isAsked ? Math.min(firstPollAfterMs, MAX_POLL_AFTER_MS) : firstPollDelayMs;
	return Math.max(startedAtMs, submittedAtMs + Math.max(0, delayMs));
}

/**
 * Returns how long after its first poll an edit is polled again, in milliseconds: sooner than after the interval if
 * the service may finish edits in seconds, and no person has set another time.
 *
 * @param ageMs of the edit at its first poll
 */
export function secondPollAfterMs(rules: PollRules, ageMs: number, intervalMs: number): number {
	const isUsual = !rules.isFirstPollSet && intervalMs === DEFAULT_POLL_RULES.pollIntervalMs;
	if (!isUsual || ageMs >= EARLY_SECOND_POLL_MS) return intervalMs;
	return Math.max(EARLY_SECOND_POLL_MS - ageMs, MIN_POLL_INTERVAL_MS);
}

/**
 * Returns the time between two polls of one edit, in milliseconds: at least 5 s, and at least what the
 * service asks for, up to 5 minutes. An edit in EXPORT ends soon, so it is
 * polled every 5 s if the user has set less than the advised 10 s. With 10 s it is not: one vendor advises
 * against polling more often.
 *
 * @param pollAfterMs the service's `poll_after_seconds`, in milliseconds
 */
export function pollIntervalMs(
	{ pollIntervalMs: wishedMs }: PollRules,
	status: string,
	pollAfterMs = 0,
): number {
	const isQuick = status === 'EXPORT' && wishedMs < POLL_INTERVAL_SECONDS * 1_000;
	const ownMs = isQuick ? MIN_POLL_INTERVAL_MS : wishedMs;
	const askedMs = Math.min(pollAfterMs, MAX_POLL_AFTER_MS);
	return Math.max(ownMs, askedMs, MIN_POLL_INTERVAL_MS);
}

/**
 * Returns the time of an edit's next poll, in milliseconds since 1970. The last poll is at the deadline,
 * so that the report knows an edit that finished just before it, unless that is within 5 s.
 */
export function nextPollAtMs(lastPollAtMs: number, intervalMs: number, deadlineMs: number): number {
	const nextMs = lastPollAtMs + intervalMs;
	const isLastChance = nextMs > deadlineMs && lastPollAtMs + MIN_POLL_INTERVAL_MS <= deadlineMs;
	return isLastChance ? deadlineMs : nextMs;
}
