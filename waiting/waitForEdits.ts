import type { Edit } from '../api/contract';
import type { Result, RequestFailure } from '../api/failure';
import { backoffMs } from '../api/retry';
import type { Time } from '../api/time';
import type { RequestBudget } from './budget';
import { type PollRules, firstPollAtMs, nextPollAtMs, pollIntervalMs } from './schedule';
import {
	type StatusChange,
	type WaitReport,
	type WaitView,
	type WatchedEdit,
	Watch,
} from './watch';
import { WatchQueue } from './watchQueue';

/** What the loop needs from the world. */
export interface WaitTools {
	readonly time: Time;
	/** Asks about one edit once; the loop does the repeating. */
	readonly getEdit: (editId: string) => Promise<Result<Edit>>;
	readonly budget: RequestBudget;
	/** What is wrong with an id, if anything: such an edit is refused before anything is waited for. */
	readonly refusal?: (editId: string) => RequestFailure | undefined;
	/** Aborted when the execution is stopped. */
	readonly signal?: AbortSignal;
	/** Called when an edit's status is first seen to have changed. */
	readonly onStatus?: (watched: WatchedEdit, change: StatusChange) => void;
	/** Called after each status call. */
	readonly onPoll?: (view: WaitView) => void;
	/** Called once for an edit that is PENDING suspiciously long, and for how long. */
	readonly onEndlessPending?: (watched: WatchedEdit, pendingSeconds: number) => void;
	/** Ends the whole wait when this says so of a finished edit. */
	readonly endsWait?: (report: WaitReport) => boolean;
}

/** So many status calls may be under way at once; enough for 300 a minute at 1.5 s an answer. */
const CALLS_IN_FLIGHT_MAXIMUM = 8;

/**
 * Waits for all edits in one loop: each is asked about when its time has come and the budget allows,
 * until it is finished or the time is up. One report an edit, in the order given.
 */
export async function waitForEdits(
	edits: readonly WatchedEdit[],
	rules: PollRules,
	tools: WaitTools,
): Promise<WaitReport[]> {
	return await new WaitLoop(edits, rules, tools).run();
}

class WaitLoop {
	private readonly beganAtMs: number;
	private readonly deadlineMs: number;
	private readonly watches: readonly Watch[];
	private readonly queue: WatchQueue;
	private readonly inFlight = new Set<Promise<void>>();
	/** Failed calls since the last good one: the exponent of the back-off. */
	private failuresInARow = 0;
	private isOver = false;

	constructor(
		edits: readonly WatchedEdit[],
		private readonly rules: PollRules,
		private readonly tools: WaitTools,
	) {
		const beganAtMs = tools.time.now();
		this.beganAtMs = beganAtMs;
		this.deadlineMs = beganAtMs + rules.maximumWaitMs;
		this.watches = edits.map((edit) => {
			const dueMs = firstPollAtMs(rules, beganAtMs, edit.submittedAtMs);
			return new Watch(edit, beganAtMs, Math.min(dueMs, this.deadlineMs));
		});
		this.queue = new WatchQueue(this.watches);
	}

	async run(): Promise<WaitReport[]> {
		const { time, budget } = this.tools;
		this.refuseImpossible();
		while (this.queue.size > 0 && !this.isCutShort()) {
			const nowMs = time.now();
			const freeAtMs = budget.nextFreeAtMs(nowMs);
			const isFull = this.inFlight.size >= CALLS_IN_FLIGHT_MAXIMUM;
			const mayBegin = !isFull && freeAtMs <= nowMs;
			// A timer may come late; what was due at the deadline is still asked about then.
			const dueUntilMs = Math.min(nowMs, this.deadlineMs);
			const next = mayBegin ? this.queue.next(nowMs, dueUntilMs) : undefined;
			if (next !== undefined) {
				this.begin(next);
			} else if (nowMs < this.deadlineMs && !isFull) {
				const wakeAtMs = Math.max(freeAtMs, this.queue.nextDueAtMs());
				await this.sleepOrAnswer(Math.min(wakeAtMs, this.deadlineMs) - nowMs);
			} else if (this.inFlight.size > 0) {
				await Promise.race(this.inFlight);
			} else {
				break;
			}
		}
		await Promise.all(this.inFlight);
		if (this.isCutShort()) for (const watch of this.queue.watches) watch.end ??= 'abandoned';
		const endedAtMs = time.now();
		return this.watches.map((watch) => watch.report(endedAtMs));
	}

	/** An id that cannot be right fails at once, not after half a minute. */
	private refuseImpossible(): void {
		const { refusal, endsWait, time } = this.tools;
		for (const watch of this.watches) {
			const failure = refusal?.(watch.watched.editId);
			if (failure === undefined) continue;
			watch.refuse(failure);
			this.queue.remove(watch);
			this.isOver ||= endsWait?.(watch.report(time.now())) ?? false;
		}
	}

	private isCutShort(): boolean {
		return this.isOver || (this.tools.signal?.aborted ?? false);
	}

	private begin(watch: Watch): void {
		const call = this.poll(watch).finally(() => this.inFlight.delete(call));
		this.inFlight.add(call);
	}

	private async poll(watch: Watch): Promise<void> {
		const { time, budget, getEdit, onStatus, onPoll, onEndlessPending, endsWait } = this.tools;
		const askedAtMs = time.now();
		budget.take(askedAtMs);
		watch.isInFlight = true;
		const outcome = await getEdit(watch.watched.editId);
		watch.isInFlight = false;
		const nowMs = time.now();
		const change = watch.learn(outcome, askedAtMs, nowMs);
		if (change) onStatus?.(watch.watched, change);
		if (watch.isPendingTooLong(nowMs, this.rules.pendingNoticeMs)) {
			onEndlessPending?.(watch.watched, watch.pendingSeconds(nowMs));
		}
		this.queue.learn(watch, askedAtMs);
		onPoll?.({ edits: this.watches, waitedSeconds: (nowMs - this.beganAtMs) / 1_000 });
		if (watch.end !== undefined) {
			this.isOver ||= endsWait?.(watch.report(nowMs)) ?? false;
			return;
		}
		const intervalMs = pollIntervalMs(this.rules, watch.status);
		watch.nextPollAtMs = nextPollAtMs(askedAtMs, intervalMs, this.deadlineMs);
		this.holdBack(watch.failure, nowMs);
	}

	/** After a failed call every call of this loop waits; after a 429 every call with the key does. */
	private holdBack(failure: RequestFailure | undefined, nowMs: number): void {
		if (failure === undefined) {
			this.failuresInARow = 0;
			return;
		}
		const { time, budget } = this.tools;
		this.failuresInARow += 1;
		const resumeAtMs = nowMs + backoffMs(failure, this.failuresInARow, time.random());
		if (failure.status === 429) budget.refused(nowMs, resumeAtMs);
		else budget.pauseUntil(resumeAtMs);
	}

	/** Sleeps until the time has passed, a call under way is answered, or the execution is stopped. */
	private async sleepOrAnswer(ms: number): Promise<void> {
		const { time, signal } = this.tools;
		const awake = new AbortController();
		const signals = signal ? [signal, awake.signal] : [awake.signal];
		await Promise.race([time.sleep(ms, AbortSignal.any(signals)), ...this.inFlight]);
		awake.abort();
	}
}
