import type { Client } from '../api/client';
import { reviewEndIn } from '../api/contract';
import { backoffMs } from '../api/retry';
import { NO_LONGER_NEEDED, type Time } from '../api/time';
import { PolledEdit } from './polledEdit';
import type { StatusChange, SubmittedEdit, WaitEnd, WaitReport } from './waitReport';
import type { RateLimit } from './rateLimit';
import {
	type PollRules,
	firstPollAtMs,
	nextPollAtMs,
	pollIntervalMs,
	secondPollAfterMs,
} from './schedule';
import { UnfinishedEdits } from './unfinishedEdits';

/** The loop's dependencies and callbacks. */
export interface WaitTools {
	readonly time: Time;
	readonly client: Pick<Client, 'getEditOnce'>;
	readonly rateLimit: RateLimit;
	/** Aborted when the execution is stopped. */
	readonly signal?: AbortSignal;
	/** Called when a poll reads a new status. */
	readonly onStatus?: (edit: SubmittedEdit, change: StatusChange) => void;
	/** Called after each poll, with all edits of the wait, finished or not. */
	readonly onPoll?: (edits: readonly PolledEdit[]) => void;
	/** Called once for an edit that stays PENDING suspiciously long. */
	readonly onEndlessPending?: (edit: SubmittedEdit, pendingSeconds: number) => void;
	/** Called once for an edit that waits for a person to review its cuts. */
	readonly onReview?: (edit: SubmittedEdit, endsAtMs: number | undefined) => void;
	/** Called when the wait for an edit has ended. */
	readonly onEnd?: (report: WaitReport) => void;
}

/** Who waits for the report on an edit. */
interface Listener {
	readonly resolve: (report: WaitReport) => void;
	readonly reject: (error: unknown) => void;
}

/** Polls under way at once: enough for 300 a minute at 1.5 s a response. */
const MAX_POLLS_IN_FLIGHT = 8;

/** Edits without any answer at their deadline are still asked about for this long: Maximum Wait can be 0. */
const LAST_POLLS_MS = 60_000;

/** A sleep ends earlier when an edit is added; longer timers of Node.js fire at once. */
const MAX_SLEEP_MS = 3_600_000;

/**
 * Waits for all edits in one loop. It asks about an edit when its time has come and the rate limit
 * allows it, until all have finished or their time is up.
 */
export class WaitLoop {
	private readonly edits: PolledEdit[];
	private readonly unfinished: UnfinishedEdits;
	private readonly inFlight = new Map<PolledEdit, Promise<void>>();
	/** Who waits for the reports on added edits. */
	private readonly listeners = new Map<PolledEdit, Listener>();
	private isRunning = false;
	/** Ends the loop's sleep. */
	private awake = new AbortController();

	constructor(
		edits: readonly SubmittedEdit[],
		private readonly rules: PollRules,
		private readonly tools: WaitTools,
	) {
		this.edits = edits.map((edit) => this.polled(edit));
		this.unfinished = new UnfinishedEdits(this.edits);
	}

	/**
	 * Adds an edit to a running wait, and returns its report as soon as its own wait has ended. Its time
	 * begins now. The loop does not keep the edit of the report.
	 */
	async add(edit: SubmittedEdit): Promise<WaitReport> {
		const polled = this.polled(edit);
		const ended = new Promise<WaitReport>((resolve, reject) => {
			this.listeners.set(polled, { resolve, reject });
		});
		this.edits.push(polled);
		this.unfinished.add(polled);
		this.awake.abort(NO_LONGER_NEEDED);
		if (!this.isRunning) this.run().catch((error: unknown) => this.failed(error));
		return await ended;
	}

	/** Returns one report for each edit, in the order given. */
	async run(): Promise<WaitReport[]> {
		const { time, rateLimit, signal } = this.tools;
		this.isRunning = true;
		while (this.unfinished.size > 0 && !signal?.aborted) {
			const nowMs = time.now();
			const freeAtMs = rateLimit.nextFreeAtMs(nowMs);
			// Slow answers must not put the last polls off: after a deadline only the rate limit counts.
			const isFull =
				this.inFlight.size >= MAX_POLLS_IN_FLIGHT && this.unfinished.late(nowMs).length === 0;
			const next = !isFull && freeAtMs <= nowMs ? this.unfinished.next(nowMs) : undefined;
			if (next !== undefined) this.inFlight.set(next, this.poll(next));
			else await this.untilNextTurn(nowMs, isFull ? Infinity : freeAtMs);
		}
		// An edit that is added from here on begins another run.
		this.isRunning = false;
		if (signal?.aborted) await this.abandon();
		const endedAtMs = time.now();
		return this.edits.map((edit) => edit.report(endedAtMs));
	}

	/**
	 * Ends the wait for edits whose time is up, and sleeps until a poll is due, one has ended or an edit is added.
	 *
	 * @param mayAskAtMs when the next poll may begin, in milliseconds since 1970
	 */
	private async untilNextTurn(nowMs: number, mayAskAtMs: number): Promise<void> {
		this.endLate(nowMs);
		if (this.unfinished.size === 0) return;
		const awake = (this.awake = new AbortController());
		const sleepMs = this.unfinished.nextTurnAtMs(nowMs, mayAskAtMs) - nowMs;
		const sleep = this.sleep(Math.min(sleepMs, MAX_SLEEP_MS), awake);
		await Promise.race([sleep, ...this.inFlight.values()]);
		awake.abort(NO_LONGER_NEEDED);
	}

	private polled(edit: SubmittedEdit): PolledEdit {
		const nowMs = this.tools.time.now();
		const deadlineMs = nowMs + this.rules.maxWaitMs;
		const dueMs = firstPollAtMs(this.rules, nowMs, edit);
		return new PolledEdit(edit, nowMs, Math.min(dueMs, deadlineMs), deadlineMs);
	}

	/** Ends the wait for the edits whose time is up, except those that were never polled. */
	private endLate(nowMs: number): void {
		for (const edit of this.unfinished.late(nowMs)) {
			const mayAsk =
				edit.polls === 0 && edit.isDue(nowMs) && nowMs < edit.deadlineMs + LAST_POLLS_MS;
			if (!mayAsk) this.ended(edit, 'stillRunning');
		}
	}

	/** Stop, or another edit, has ended the wait. */
	private async abandon(): Promise<void> {
		await Promise.all(this.inFlight.values());
		for (const edit of this.unfinished.all()) this.ended(edit, 'abandoned');
	}

	private ended(edit: PolledEdit, end?: WaitEnd): void {
		edit.end ??= end;
		this.unfinished.remove(edit);
		const report = edit.report(this.tools.time.now());
		this.tools.onEnd?.(report);
		const listener = this.listeners.get(edit);
		if (listener === undefined) return;
		listener.resolve(report);
		this.listeners.delete(edit);
		// Its texts can have megabytes, and other edits may take hours.
		edit.edit = undefined;
	}

	/** A run that throws has ended the wait for no edit. */
	private failed(error: unknown): void {
		for (const { reject } of this.listeners.values()) reject(error);
		this.listeners.clear();
	}

	private async poll(edit: PolledEdit): Promise<void> {
		const { time, rateLimit, client } = this.tools;
		const askedAtMs = time.now();
		rateLimit.begin(askedAtMs);
		edit.isInFlight = true;
		try {
			const result = await client.getEditOnce(edit.editId);
			const nowMs = time.now();
			const change = edit.learn(result, askedAtMs, nowMs);
			this.inform(edit, change, nowMs);
			if (edit.isInReview) this.awaitReview(edit, nowMs);
			if (edit.end !== undefined) this.ended(edit);
			else this.planNext(edit, askedAtMs, nowMs);
		} finally {
			edit.isInFlight = false;
			this.inFlight.delete(edit);
		}
	}

	private inform(edit: PolledEdit, change: StatusChange | undefined, nowMs: number): void {
		const { onStatus, onPoll, onEndlessPending } = this.tools;
		if (change) onStatus?.(edit, change);
		if (edit.isPendingTooLong(nowMs, this.rules.pendingNoticeMs)) {
			onEndlessPending?.(edit, edit.secondsSinceSubmission(nowMs));
		}
		onPoll?.(this.edits);
	}

	/** Goes on until the review has ended and the edit was made, unless a person has set the longest wait. */
	private awaitReview(edit: PolledEdit, nowMs: number): void {
		const endsAtMs = edit.edit && reviewEndIn(edit.edit);
		if (edit.isReviewNew()) this.tools.onReview?.(edit, endsAtMs);
		if (endsAtMs === undefined || this.rules.isMaxWaitSet) return;
		const leftMs = endsAtMs - this.tools.time.timeOfDay();
		edit.deadlineMs = Math.max(edit.deadlineMs, nowMs + leftMs + this.rules.maxWaitMs);
	}

	private planNext(edit: PolledEdit, askedAtMs: number, nowMs: number): void {
		const resumeAtMs = this.backOff(edit, askedAtMs, nowMs);
		const usualMs = pollIntervalMs(this.rules, edit.status, edit.pollAfterMs);
		const ageMs = edit.ageMs(askedAtMs);
		const intervalMs = edit.polls === 1 ? secondPollAfterMs(this.rules, ageMs, usualMs) : usualMs;
		const waitMs = Math.max(intervalMs, resumeAtMs - askedAtMs);
		edit.nextPollAtMs = nextPollAtMs(askedAtMs, waitMs, edit.deadlineMs);
	}

	/**
	 * Returns when this edit may be polled again after a failed poll, in milliseconds since 1970. A 429 is
	 * about the key: every poll with it waits, in every execution. Any other failure is about this edit.
	 */
	private backOff(
		{ failure, failuresInARow }: PolledEdit,
		askedAtMs: number,
		nowMs: number,
	): number {
		const { time, rateLimit } = this.tools;
		if (failure === undefined) {
			rateLimit.answeredPoll(askedAtMs);
			return nowMs;
		}
		const random = time.random();
		if (failure.status !== 429) return nowMs + backoffMs(failure, failuresInARow, random);
		rateLimit.refusedPoll(failure, askedAtMs, nowMs, random);
		return nowMs;
	}

	/** Sleeps until the time has passed, `awake` is aborted, or the execution is stopped. */
	private async sleep(ms: number, awake: AbortController): Promise<void> {
		const { time, signal } = this.tools;
		const wake = () => awake.abort(NO_LONGER_NEEDED);
		// `AbortSignal.any` would hold 2.5 kB for each poll until the next turn of the event loop.
		signal?.addEventListener('abort', wake);
		await time.sleep(ms, awake.signal);
		signal?.removeEventListener('abort', wake);
	}
}
