import { type Edit, isFinalStatus, phaseOf } from '../api/contract';
import { type Result, type RequestFailure } from '../api/failure';
import { isTransient } from '../api/retry';
import type { EditView } from './likelihood';
import { PendingAgain } from './pendingAgain';

/** An edit that is waited for. */
export interface WatchedEdit {
	readonly editId: string;
	/** When it was created, in milliseconds since 1970, where that is known. */
	readonly submittedAtMs?: number;
}

/** How a wait for one edit ended. */
export type WaitEnd =
	/** Status SUCCESS. */
	| 'succeeded'
	/** Status FAILURE. */
	| 'failed'
	/** The time was up. */
	| 'stillRunning'
	/** PENDING again after its work had begun: the service may no longer know it. */
	| 'vanished'
	/** The service refuses to tell: a wrong key, an impossible id. */
	| 'refused'
	/** The execution was stopped, or another edit's failure ended the wait. */
	| 'abandoned';

/** A status and when it was first seen. */
export interface StatusChange {
	readonly status: string;
	/** Seconds since the submission; since the beginning of the wait where that is unknown. */
	readonly atSeconds: number;
}

/** How far a wait is. */
export interface WaitView {
	/** All edits of the wait, finished or not. */
	readonly edits: readonly Pick<Watch, 'status' | 'end' | 'polls' | 'failure'>[];
	readonly waitedSeconds: number;
}

/** What a wait for one edit came to. */
export interface WaitReport {
	readonly editId: string;
	readonly end: WaitEnd;
	/** The edit as last read. */
	readonly edit?: Edit;
	/** The last failed request, if the wait ended on one or was troubled by them. */
	readonly failure?: RequestFailure;
	/** How many status calls failed, by cause, such as `429` or `unreachable`. */
	readonly troubles: Readonly<Record<string, number>>;
	readonly history: readonly StatusChange[];
	readonly polls: number;
	readonly waitedSeconds: number;
	/** How long it has been PENDING again after its work had begun; missing where it is not. */
	readonly pendingAgainSeconds?: number;
}

/**
 * SUCCESS may be reported a little before the result is there: so many more polls are spent on it.
 */
const POLLS_FOR_LATE_RESULT = 6;

/** So many answers in a row may be none: a gateway's page must not end a wait of hours. */
const UNREADABLE_POLLS_MAXIMUM = 3;

/** One edit's state during a wait. Knows nothing of clocks: the time is passed in. */
export class Watch implements EditView {
	readonly history: StatusChange[] = [];
	readonly troubles: Record<string, number> = {};
	polls = 0;
	isInFlight = false;
	status = 'PENDING';
	lastSeenAtMs: number;
	/** When it was last seen to be as yet PENDING; its submission before that. */
	pendingUntilMs: number;
	startedAtMs?: number;
	/** When it ended, as far as can be told: between the last two polls. */
	endedAtMs?: number;
	end?: WaitEnd;
	edit?: Edit;
	failure?: RequestFailure;
	private pollsWithoutResult = 0;
	private unreadablePolls = 0;
	private isPendingNoticed = false;
	private readonly pendingAgain = new PendingAgain();

	constructor(
		readonly watched: WatchedEdit,
		private readonly waitBeganAtMs: number,
		public nextPollAtMs: number,
	) {
		this.lastSeenAtMs = watched.submittedAtMs ?? waitBeganAtMs;
		this.pendingUntilMs = this.lastSeenAtMs;
	}

	/** Takes in the answer to a poll. Returns the change of status, if there was one. */
	learn(outcome: Result<Edit>, askedAtMs: number, nowMs: number): StatusChange | undefined {
		this.polls += 1;
		if (!outcome.ok) {
			this.learnFailure(outcome.failure);
			return undefined;
		}
		this.failure = undefined;
		this.unreadablePolls = 0;
		this.edit = outcome.value;
		this.noteTimes(outcome.value.status, askedAtMs);
		const isVanished = this.pendingAgain.learn(outcome.value.status, askedAtMs);
		this.end = isVanished ? 'vanished' : this.endOf(outcome.value);
		return this.noteStatus(outcome.value.status, nowMs);
	}

	/** Ends the wait before it began. */
	refuse(failure: RequestFailure): void {
		this.failure = failure;
		this.end = 'refused';
	}

	/** Seconds since the submission, or since the wait began where that is unknown. */
	pendingSeconds(nowMs: number): number {
		return seconds(nowMs - (this.watched.submittedAtMs ?? this.waitBeganAtMs));
	}

	/** True once, when the edit was PENDING for so long and was never seen in another status. */
	isPendingTooLong(nowMs: number, noticeMs: number): boolean {
		const isOnlyPending = this.history.length === 1 && phaseOf(this.status) === 'pending';
		const isLong = this.pendingSeconds(nowMs) * 1_000 >= noticeMs;
		if (this.isPendingNoticed || !isOnlyPending || !isLong) return false;
		this.isPendingNoticed = true;
		return true;
	}

	report(nowMs: number): WaitReport {
		const { forMs } = this.pendingAgain;
		return {
			editId: this.watched.editId,
			end: this.end ?? 'stillRunning',
			edit: this.edit,
			failure: this.failure,
			troubles: this.troubles,
			history: this.history,
			polls: this.polls,
			waitedSeconds: seconds(nowMs - this.waitBeganAtMs),
			...(forMs !== undefined && { pendingAgainSeconds: seconds(forMs) }),
		};
	}

	private learnFailure(failure: RequestFailure): void {
		this.failure = failure;
		if (failure.kind === 'stopped') {
			this.end = 'abandoned';
		} else if (isTransient(failure) || this.mayBeReadableAgain(failure)) {
			const cause = String(failure.status ?? failure.kind);
			this.troubles[cause] = (this.troubles[cause] ?? 0) + 1;
		} else {
			this.end = 'refused';
		}
	}

	private mayBeReadableAgain({ kind }: RequestFailure): boolean {
		if (kind !== 'unreadable') return false;
		this.unreadablePolls += 1;
		return this.unreadablePolls < UNREADABLE_POLLS_MAXIMUM;
	}

	private noteTimes(status: string, askedAtMs: number): void {
		if (phaseOf(status) === 'pending') this.pendingUntilMs = askedAtMs;
		if (isFinalStatus(status)) this.endedAtMs ??= (this.lastSeenAtMs + askedAtMs) / 2;
		this.lastSeenAtMs = askedAtMs;
	}

	private endOf(edit: Edit): WaitEnd | undefined {
		switch (phaseOf(edit.status)) {
			case 'failed':
				return 'failed';
			case 'succeeded':
				if (edit.result !== undefined) return 'succeeded';
				this.pollsWithoutResult += 1;
				return this.pollsWithoutResult > POLLS_FOR_LATE_RESULT ? 'succeeded' : undefined;
			default:
				return undefined;
		}
	}

	private noteStatus(status: string, nowMs: number): StatusChange | undefined {
		if (this.history.at(-1)?.status === status) return undefined;
		this.status = status;
		const sinceMs = this.watched.submittedAtMs ?? this.waitBeganAtMs;
		const change = { status, atSeconds: seconds(nowMs - sinceMs) };
		this.history.push(change);
		return change;
	}
}

/** Seconds with one decimal. */
function seconds(ms: number): number {
	return Math.round(ms / 100) / 10;
}
