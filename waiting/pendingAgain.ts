import { EDIT_STATUSES } from '../api/contract';

/** So long and so many polls in a row, PENDING is more than a moment in which a queue lost a status. */
const VANISHED_AFTER_MS = 120_000;
const VANISHED_AFTER_POLLS = 6;

/**
 * PENDING after one of these says that the service no longer knows the edit (spec "States and
 * transitions": PENDING is also reported for an unknown ID). The spec has a way back to waiting, RETRY,
 * and an edit that waits its turn again may well read PENDING after it, for as long as the queue is: so
 * RETRY is not one of these. Nor is a status the spec does not name, for nobody knows what follows it.
 *
 * A queue that is restarted may lose its statuses, too, and read PENDING until its workers write the next
 * one; within two minutes they do. If it puts an edit back into a long queue without RETRY, we are
 * wrong: therefore the error says "may", and that the edit can be waited for again.
 */
const AT_WORK_OR_DONE: ReadonlySet<string> = new Set(
	EDIT_STATUSES.filter((status) => !['PENDING', 'FAILURE', 'RETRY'].includes(status)),
);

/** Follows one edit's statuses and finds out when the service no longer knows the edit. */
export class PendingAgain {
	/** The last status that was not PENDING. */
	private before?: string;

	private firstSeenAtMs?: number;

	private lastSeenAtMs = 0;

	private polls = 0;

	/** How long the edit has been PENDING again, in milliseconds; undefined where it is not. */
	get forMs(): number | undefined {
		return this.firstSeenAtMs === undefined ? undefined : this.lastSeenAtMs - this.firstSeenAtMs;
	}

	/** Takes in the status that a poll has read. Returns whether the edit counts as vanished. */
	learn(status: string, askedAtMs: number): boolean {
		const name = status.trim().toUpperCase();
		if (name !== 'PENDING') {
			this.before = name;
			this.firstSeenAtMs = undefined;
			this.polls = 0;
			return false;
		}
		if (this.before === undefined || !AT_WORK_OR_DONE.has(this.before)) return false;
		this.firstSeenAtMs ??= askedAtMs;
		this.lastSeenAtMs = askedAtMs;
		this.polls += 1;
		const hasLasted = askedAtMs - this.firstSeenAtMs >= VANISHED_AFTER_MS;
		return hasLasted && this.polls >= VANISHED_AFTER_POLLS;
	}
}
