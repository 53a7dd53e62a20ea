import type { Client } from '../api/client';
import type { RequestFailure } from '../api/failure';
import { backoffMs } from '../api/retry';
import type { Time } from '../api/time';
import {
	type StatusChange,
	type SubmittedEdit,
	type WaitReport,
	type WaitView,
	PolledEdit,
} from './polledEdit';
import { PollPriority } from './pollPriority';
import type { RateLimit } from './rateLimit';
import { type PollRules, firstPollAtMs, nextPollAtMs, pollIntervalMs } from './schedule';

/** The loop's dependencies and callbacks. */
export interface WaitTools {
	readonly time: Time;
	readonly client: Pick<Client, 'getEditOnce'>;
	readonly rateLimit: RateLimit;
	/** Returns what is wrong with an ID, if anything. The loop then refuses the edit at once. */
	readonly refusal?: (editId: string) => RequestFailure | undefined;
	/** Aborted when the execution is stopped. */
	readonly signal?: AbortSignal;
	/** Called when a poll reads a new status. */
	readonly onStatus?: (edit: SubmittedEdit, change: StatusChange) => void;
	/** Called after each poll. */
	readonly onPoll?: (view: WaitView) => void;
	/** Called once for an edit that stays PENDING suspiciously long. */
	readonly onEndlessPending?: (edit: SubmittedEdit, pendingSeconds: number) => void;
	/** Whether this finished edit ends the whole wait. */
	readonly endsWait?: (report: WaitReport) => boolean;
}

/** Polls under way at once: enough for 300 a minute at 1.5 s a response. */
const POLLS_IN_FLIGHT_MAXIMUM = 8;

/**
 * Waits for all edits in one loop. It asks about an edit when its time has come and the rate limit
 * allows it, until all have finished or the time is up.
 */
export class WaitLoop {
	private readonly beganAtMs: number;
	private readonly deadlineMs: number;
	private readonly edits: readonly PolledEdit[];
	private readonly priority: PollPriority;
	private readonly inFlight = new Map<PolledEdit, Promise<void>>();
	/** Failed polls since the last good one: the exponent of the back-off. */
	private failuresInARow = 0;
	private isOver = false;

	constructor(
		edits: readonly SubmittedEdit[],
		private readonly rules: PollRules,
		private readonly tools: WaitTools,
	) {
		const beganAtMs = tools.time.now();
		this.beganAtMs = beganAtMs;
		this.deadlineMs = beganAtMs + rules.maximumWaitMs;
		this.edits = edits.map((edit) => {
			const dueMs = firstPollAtMs(rules, beganAtMs, edit.submittedAtMs);
			return new PolledEdit(edit, beganAtMs, Math.min(dueMs, this.deadlineMs));
		});
		this.priority = new PollPriority(this.edits);
	}

	/** Returns one report for each edit, in the order given. */
	async run(): Promise<WaitReport[]> {
		const { time, rateLimit } = this.tools;
		this.refuseImpossible();
		while (this.priority.size > 0 && !this.isCutShort()) {
			const nowMs = time.now();
			const freeAtMs = rateLimit.nextFreeAtMs(nowMs);
			const isFull = this.inFlight.size >= POLLS_IN_FLIGHT_MAXIMUM;
			const mayBegin = !isFull && freeAtMs <= nowMs;
			// A timer may come late; the loop still asks about edits that were due at the deadline.
			const dueUntilMs = Math.min(nowMs, this.deadlineMs);
			const next = mayBegin ? this.priority.next(nowMs, dueUntilMs) : undefined;
			if (next !== undefined) {
				this.inFlight.set(next, this.poll(next));
			} else if (nowMs < this.deadlineMs && !isFull) {
				const wakeAtMs = Math.max(freeAtMs, this.priority.nextDueAtMs());
				const awake = new AbortController();
				const sleep = this.sleep(Math.min(wakeAtMs, this.deadlineMs) - nowMs, awake.signal);
				// Here, so that a stack trace has one frame between the caller and the poll.
				await Promise.race([sleep, ...this.inFlight.values()]);
				awake.abort();
			} else if (this.inFlight.size > 0) {
				await Promise.race(this.inFlight.values());
			} else {
				break;
			}
		}
		await Promise.all(this.inFlight.values());
		if (this.isCutShort()) for (const edit of this.priority.unfinished()) edit.end ??= 'abandoned';
		const endedAtMs = time.now();
		return this.edits.map((edit) => edit.report(endedAtMs));
	}

	/** Refuses impossible IDs now instead of after half a minute. */
	private refuseImpossible(): void {
		const { refusal, endsWait, time } = this.tools;
		for (const edit of this.edits) {
			const failure = refusal?.(edit.editId);
			if (failure === undefined) continue;
			edit.refuse(failure);
			this.priority.remove(edit);
			this.isOver ||= endsWait?.(edit.report(time.now())) ?? false;
		}
	}

	private isCutShort(): boolean {
		return this.isOver || (this.tools.signal?.aborted ?? false);
	}

	private async poll(edit: PolledEdit): Promise<void> {
		const { time, rateLimit, client } = this.tools;
		const askedAtMs = time.now();
		rateLimit.take(askedAtMs);
		edit.isInFlight = true;
		try {
			const result = await client.getEditOnce(edit.editId);
			const nowMs = time.now();
			this.inform(edit, edit.learn(result, askedAtMs, nowMs), nowMs);
			this.priority.learn(edit, askedAtMs);
			this.afterPoll(edit, askedAtMs, nowMs);
		} finally {
			edit.isInFlight = false;
			this.inFlight.delete(edit);
		}
	}

	private inform(edit: PolledEdit, change: StatusChange | undefined, nowMs: number): void {
		const { onStatus, onEndlessPending } = this.tools;
		if (change) onStatus?.(edit, change);
		if (edit.isPendingTooLong(nowMs, this.rules.pendingNoticeMs)) {
			onEndlessPending?.(edit, edit.secondsSinceSubmission(nowMs));
		}
	}

	private afterPoll(edit: PolledEdit, askedAtMs: number, nowMs: number): void {
		const { onPoll, endsWait } = this.tools;
		onPoll?.({ edits: this.edits, waitedSeconds: (nowMs - this.beganAtMs) / 1_000 });
		if (edit.end !== undefined) {
			this.isOver ||= endsWait?.(edit.report(nowMs)) ?? false;
			return;
		}
		const intervalMs = pollIntervalMs(this.rules, edit.status, edit.pollAfterMs);
		edit.nextPollAtMs = nextPollAtMs(askedAtMs, intervalMs, this.deadlineMs);
		this.holdBack(edit.failure, nowMs);
	}

	/** After a failed poll, every poll of this loop waits; after a 429, every poll with the key does. */
	private holdBack(failure: RequestFailure | undefined, nowMs: number): void {
		if (failure === undefined) {
			this.failuresInARow = 0;
			return;
		}
		const { time, rateLimit } = this.tools;
		this.failuresInARow += 1;
		const resumeAtMs = nowMs + backoffMs(failure, this.failuresInARow, time.random());
		if (failure.status === 429) rateLimit.refused(nowMs, resumeAtMs);
		else rateLimit.pauseUntil(resumeAtMs);
	}

	/** Sleeps until the time has passed, `awake` is aborted, or the execution is stopped. */
	private async sleep(ms: number, awake: AbortSignal): Promise<void> {
		const { time, signal } = this.tools;
		await time.sleep(ms, signal ? AbortSignal.any([signal, awake]) : awake);
	}
}
