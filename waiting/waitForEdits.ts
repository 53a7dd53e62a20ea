import type { Edit } from '../api/contract';
import type { Outcome } from '../api/outcome';
import { backoffMs } from '../api/retry';
import type { Time } from '../api/time';
import type { RequestBudget } from './budget';
import { type PollRules, firstPollAtMs, nextPollAtMs, pollIntervalMs } from './schedule';
import { type StatusChange, type WaitReport, type WatchedEdit, Watch } from './watch';

/** What the loop needs from the world. */
export interface WaitTools {
	readonly time: Time;
	/** Asks about one edit once; the loop does the repeating. */
	readonly getEdit: (editId: string) => Promise<Outcome<Edit>>;
	readonly budget: RequestBudget;
	/** Aborted when the execution is stopped. */
	readonly signal?: AbortSignal;
	/** Called when an edit's status is first seen to have changed. */
	readonly onStatus?: (watched: WatchedEdit, change: StatusChange) => void;
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
	private readonly startedAtMs: number;
	private readonly deadlineMs: number;
	private readonly watches: readonly Watch[];
	private readonly unfinished: Set<Watch>;
	private readonly inFlight = new Set<Promise<void>>();
	private isOver = false;

	constructor(
		edits: readonly WatchedEdit[],
		private readonly rules: PollRules,
		private readonly tools: WaitTools,
	) {
		this.startedAtMs = tools.time.now();
		this.deadlineMs = this.startedAtMs + rules.maximumWaitMs;
		this.watches = edits.map((edit) => {
			const dueMs = firstPollAtMs(rules, this.startedAtMs, edit.submittedAtMs);
			return new Watch(edit, this.startedAtMs, Math.min(dueMs, this.deadlineMs));
		});
		this.unfinished = new Set(this.watches);
	}

	async run(): Promise<WaitReport[]> {
		const { time } = this.tools;
		while (this.unfinished.size > 0 && !this.isCutShort()) {
			const nowMs = time.now();
			const next = this.earliest();
			const isFull = this.inFlight.size >= CALLS_IN_FLIGHT_MAXIMUM;
			if (next && !isFull && this.isDue(next, nowMs)) {
				this.begin(next);
			} else if (nowMs < this.deadlineMs && !isFull) {
				await this.sleepOrAnswer(this.wakeAtMs(next, nowMs) - nowMs);
			} else if (this.inFlight.size > 0) {
				await Promise.race(this.inFlight);
			} else {
				break;
			}
		}
		await Promise.all(this.inFlight);
		if (this.isCutShort()) for (const watch of this.unfinished) watch.end ??= 'abandoned';
		const endedAtMs = time.now();
		return this.watches.map((watch) => watch.report(endedAtMs));
	}

	private isCutShort(): boolean {
		return this.isOver || (this.tools.signal?.aborted ?? false);
	}

	/** The unfinished edit whose turn comes first, those just being asked about left out. */
	private earliest(): Watch | undefined {
		let first: Watch | undefined;
		for (const watch of this.unfinished) {
			if (watch.isInFlight) continue;
			if (first === undefined || watch.nextPollAtMs < first.nextPollAtMs) first = watch;
		}
		return first;
	}

	private isDue({ nextPollAtMs }: Watch, nowMs: number): boolean {
		const isItsTurn = nextPollAtMs <= Math.min(nowMs, this.deadlineMs);
		return isItsTurn && this.tools.budget.nextFreeAtMs(nowMs) <= nowMs;
	}

	private wakeAtMs(next: Watch | undefined, nowMs: number): number {
		if (next === undefined) return this.deadlineMs;
		const pollAtMs = Math.max(next.nextPollAtMs, this.tools.budget.nextFreeAtMs(nowMs));
		return Math.min(pollAtMs, this.deadlineMs);
	}

	private begin(watch: Watch): void {
		const call = this.poll(watch).finally(() => this.inFlight.delete(call));
		this.inFlight.add(call);
	}

	private async poll(watch: Watch): Promise<void> {
		const { time, budget, getEdit, onStatus, endsWait } = this.tools;
		const askedAtMs = time.now();
		budget.take(askedAtMs);
		watch.isInFlight = true;
		const outcome = await getEdit(watch.watched.editId);
		watch.isInFlight = false;
		const nowMs = time.now();
		const change = watch.learn(outcome, nowMs);
		if (change) onStatus?.(watch.watched, change);
		if (watch.end !== undefined) {
			this.unfinished.delete(watch);
			this.isOver ||= endsWait?.(watch.report(nowMs)) ?? false;
			return;
		}
		const intervalMs = pollIntervalMs(this.rules, this.unfinished.size, budget.callsPerMinute);
		watch.nextPollAtMs = nextPollAtMs(askedAtMs, intervalMs, this.deadlineMs);
		this.holdBackAfterFailure(watch, nowMs);
	}

	/** After a failed call the edit waits longer; after a 429 every call with the key does. */
	private holdBackAfterFailure(watch: Watch, nowMs: number): void {
		if (watch.failure === undefined) return;
		const { time, budget } = this.tools;
		const resumeAtMs = nowMs + backoffMs(watch.failure, watch.failuresInARow, time.random());
		watch.nextPollAtMs = Math.max(watch.nextPollAtMs, resumeAtMs);
		if (watch.failure.status === 429) budget.pauseUntil(resumeAtMs);
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
