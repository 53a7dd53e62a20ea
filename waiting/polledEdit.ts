import {
	type Edit,
	type EditProgress,
	EDIT_STATUSES,
	mayBeUnknown,
	phaseOf,
	reviewUrlIn,
} from '../api/contract';
import type { Result, RequestFailure } from '../api/failure';
import { isTransient } from '../api/retry';
import type { StatusChange, SubmittedEdit, WaitEnd, WaitReport } from './waitReport';

/** Polls after SUCCESS without any progress: it can precede the result by up to 30 s. */
const POLLS_FOR_LATE_RESULT = 6;

/** Consecutive unreadable responses that end the wait: one page of a gateway must not. */
const MAX_UNREADABLE_POLLS = 3;

/** Consecutive refusals of an edit that was read before that end the wait: the API's, not a gateway's. */
const MAX_REFUSED_POLLS = 2;

/** The service no longer knows an edit that is PENDING again for this time and this many polls. */
const VANISHED_AFTER_MS = 120_000;
const VANISHED_AFTER_POLLS = 6;

/**
 * PENDING after one of these says that the service no longer knows the edit (api.md#states:
 * PENDING is also the status of an unknown ID). RETRY is missing, because an edit may
 * queue again after it, and so is every status that api.md#states does not have.
 *
 * A restarted queue may report PENDING until its workers report again, within two minutes. If it puts
 * an edit back into a long queue without RETRY, we are wrong: so the error says "may", and that the
 * user can wait for the edit again.
 */
const AT_WORK_OR_DONE: ReadonlySet<string> = new Set(
	EDIT_STATUSES.filter((status) => !['PENDING', 'FAILURE', 'RETRY'].includes(status)),
);

/** One edit's state during a wait. The caller passes the time. */
export class PolledEdit implements SubmittedEdit {
	readonly editId: string;
	readonly submittedAtMs?: number;
	readonly history: StatusChange[] = [];
	readonly troubles: Record<string, number> = {};
	polls = 0;
	isInFlight = false;
	status = 'PENDING';
	/** Whether the service has begun; kept, because each poll compares all edits of a wait. */
	isAtWork = false;
	/** How far the service is, where its last answer says so. */
	progress?: EditProgress;
	/** How long the last answer asks us to wait before the next poll, in milliseconds; 0 if it does not. */
	pollAfterMs = 0;
	/** When the last answered poll began; the submission before that. */
	lastSeenAtMs: number;
	/** When the last poll began, answered or not; the submission before that. */
	lastAskedAtMs: number;
	end?: WaitEnd;
	edit?: Edit;
	failure?: RequestFailure;
	/** Failed polls since the last good one: the exponent of the back-off. */
	failuresInARow = 0;
	private pollsWithoutResult = 0;
	private unreadablePolls = 0;
	private refusedPolls = 0;
	private isPendingNoticed = false;
	private isReviewNoticed = false;
	/** Since when the edit has been PENDING again, and how many polls have said so. */
	private pendingAgainSinceMs?: number;
	private pendingAgainPolls = 0;

	constructor(
		{ editId, submittedAtMs }: SubmittedEdit,
		private readonly waitBeganAtMs: number,
		public nextPollAtMs: number,
		/** When the wait for this edit ends, in milliseconds since 1970. */
		public deadlineMs: number,
	) {
		this.editId = editId;
		this.submittedAtMs = submittedAtMs;
		this.lastSeenAtMs = submittedAtMs ?? waitBeganAtMs;
		this.lastAskedAtMs = this.lastSeenAtMs;
	}

	/** Learns from a poll. Returns the change of status, if there was one. */
	learn(result: Result<Edit>, askedAtMs: number, nowMs: number): StatusChange | undefined {
		this.polls += 1;
		this.lastAskedAtMs = askedAtMs;
		this.pollAfterMs = 0;
		if (!result.ok) {
			this.learnFailure(result.failure);
			return undefined;
		}
		const { status } = result.value;
		this.failure = undefined;
		this.failuresInARow = 0;
		this.unreadablePolls = 0;
		this.refusedPolls = 0;
		this.edit = result.value;
		this.lastSeenAtMs = askedAtMs;
		this.end = this.hasVanished(status, askedAtMs) ? 'vanished' : this.endOf(result.value);
		this.progress = result.value.editProgress;
		this.pollAfterMs = (result.value.pollAfterSeconds ?? 0) * 1_000;
		return this.noteStatus(result.value, nowMs);
	}

	/** Seconds since the submission, or since the wait began where that is unknown. */
	secondsSinceSubmission(nowMs: number): number {
		return seconds(this.ageMs(nowMs));
	}

	/** Milliseconds since the submission, or since the wait began where that is unknown. */
	ageMs(nowMs: number): number {
		return nowMs - (this.submittedAtMs ?? this.waitBeganAtMs);
	}

	/** True once, when the edit has been PENDING for this time and was never seen in another status. */
	isPendingTooLong(nowMs: number, noticeMs: number): boolean {
		const isOnlyPending = this.history.length === 1 && mayBeUnknown(this.status);
		const isLong = this.secondsSinceSubmission(nowMs) * 1_000 >= noticeMs;
		if (this.isPendingNoticed || !isOnlyPending || !isLong) return false;
		this.isPendingNoticed = true;
		return true;
	}

	/** Whether the edit waits for a person to review its cuts. */
	get isInReview(): boolean {
		return (
			this.end === undefined && this.edit !== undefined && reviewUrlIn(this.edit) !== undefined
		);
	}

	/** True once, when the edit waits for its review. */
	isReviewNew(): boolean {
		const isNew = this.isInReview && !this.isReviewNoticed;
		this.isReviewNoticed ||= isNew;
		return isNew;
	}

	/** Whether a poll is due. A timer may come late, so a poll may still begin after the deadline. */
	isDue(nowMs: number): boolean {
		return !this.isInFlight && this.nextPollAtMs <= nowMs && this.nextPollAtMs <= this.deadlineMs;
	}

	report(nowMs: number): WaitReport {
		const { editId, end = 'stillRunning', edit, failure, troubles, history, polls } = this;
		const waitedSeconds = seconds(nowMs - this.waitBeganAtMs);
		const report = { editId, end, edit, failure, troubles, history, polls, waitedSeconds };
		if (this.pendingAgainSinceMs === undefined) return report;
		const pendingAgainSeconds = seconds(this.lastSeenAtMs - this.pendingAgainSinceMs);
		return { ...report, pendingAgainSeconds };
	}

	private learnFailure(failure: RequestFailure): void {
		this.failure = failure;
		this.failuresInARow += 1;
		this.refusedPolls = isRefusal(failure) ? this.refusedPolls + 1 : 0;
		if (failure.kind === 'stopped') {
			this.end = 'abandoned';
		} else if (isTransient(failure) || this.mayPass(failure)) {
			const cause = String(failure.status ?? failure.kind);
			this.troubles[cause] = (this.troubles[cause] ?? 0) + 1;
		} else {
			this.end = 'refused';
		}
	}

	/**
	 * Whether a later poll may be answered. Once the edit was read, the base URL and the key are right: a page or a
	 * text is of a gateway, and passes.
	 */
	private mayPass(failure: RequestFailure): boolean {
		const wasRead = this.edit !== undefined;
		if (wasRead && isOfGateway(failure)) return true;
		if (failure.kind === 'unreadable') {
			this.unreadablePolls += 1;
			return this.unreadablePolls < MAX_UNREADABLE_POLLS;
		}
		return wasRead && isRefusal(failure) && this.refusedPolls < MAX_REFUSED_POLLS;
	}

	/** Whether the service no longer knows the edit. Call it before {@link noteStatus}. */
	private hasVanished(status: string, askedAtMs: number): boolean {
		if (!mayBeUnknown(status)) {
			this.pendingAgainSinceMs = undefined;
			this.pendingAgainPolls = 0;
			return false;
		}
		if (AT_WORK_OR_DONE.has(this.status.trim().toUpperCase())) {
			this.pendingAgainSinceMs = askedAtMs;
		}
		if (this.pendingAgainSinceMs === undefined) return false;
		this.pendingAgainPolls += 1;
		const hasLasted = askedAtMs - this.pendingAgainSinceMs >= VANISHED_AFTER_MS;
		return hasLasted && this.pendingAgainPolls >= VANISHED_AFTER_POLLS;
	}

	private endOf(edit: Edit): WaitEnd | undefined {
		const phase = phaseOf(edit.status);
		if (phase === 'failed') return 'failed';
		if (phase !== 'succeeded') return undefined;
		if (edit.result !== undefined) return 'succeeded';
		if (edit.editProgress?.text !== this.progress?.text) this.pollsWithoutResult = 0;
		this.pollsWithoutResult += 1;
		return this.pollsWithoutResult > POLLS_FOR_LATE_RESULT ? 'succeeded' : undefined;
	}

	private noteStatus({ status, failureReason: reason }: Edit, nowMs: number) {
		const { progress } = this;
		const said = { ...(progress && { progress }), ...(reason && { reason }) };
		const last = this.history.at(-1);
		if (last?.status === status) {
			this.history.splice(-1, 1, { ...last, ...said });
			return undefined;
		}
		this.status = status;
		this.isAtWork = phaseOf(status) !== 'pending';
		const change = { status, atSeconds: this.secondsSinceSubmission(nowMs), ...said };
		this.history.push(change);
		return change;
	}
}

/** A page, a text or a redirect of what is between n8n and the service. */
function isOfGateway({ kind, isJson }: RequestFailure): boolean {
	return isJson === false || kind === 'redirect';
}

/** The API's answer that the edit is not there, or not this key's. */
function isRefusal(failure: RequestFailure): boolean {
	return !isOfGateway(failure) && (failure.status === 403 || failure.status === 404);
}

/** Seconds with one decimal. */
function seconds(ms: number): number {
	return Math.round(ms / 100) / 10;
}
