/* eslint-disable @n8n/community-nodes/no-restricted-globals -- turns of the event loop, not time */
import type { Time } from '../../api/time';

interface Sleeper {
	readonly wakeAtMs: number;
	readonly wake: () => void;
}

/** A run is aborted after this much virtual time, or after `MAX_TURNS_AWAKE` without a sleep. */
const MAX_RUN_MS = 30 * 24 * 3_600_000;
const MAX_TURNS_AWAKE = 100_000;

/** Turns of the event loop in which nothing works, after which all code is asleep. */
const QUIET_TURNS = 40;

/**
 * A clock that stops while any code works and jumps to the next wake-up when all code is asleep.
 * Hours pass in milliseconds, and the order of events is the same in every run.
 */
export class VirtualTime implements Time {
	/** How far the time of day is ahead of `now`; change it to let the machine's clock jump. */
	timeOfDayAheadMs = 0;

	private nowMs: number;
	private readonly sleepers = new Set<Sleeper>();
	private quietTurns = 0;
	private isLeaping = false;

	/**
	 * @param isWorking whether something outside of this thread's code works; with it, the clock leaps by
	 * itself, else only in `run`
	 */
	constructor(
		startMs = 0,
		private readonly nextRandom: () => number = () => 0.5,
		private readonly isWorking?: () => boolean,
	) {
		this.nowMs = startMs;
	}

	now(): number {
		return this.nowMs;
	}

	timeOfDay(): number {
		return this.nowMs + this.timeOfDayAheadMs;
	}

	random(): number {
		return this.nextRandom();
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		this.quietTurns = 0;
		if (ms <= 0 || signal?.aborted) return;
		const sleeping = new Promise<void>((resolve) => {
			const wake = () => {
				this.sleepers.delete(sleeper);
				signal?.removeEventListener('abort', wake);
				resolve();
			};
			const sleeper: Sleeper = { wakeAtMs: this.nowMs + ms, wake };
			this.sleepers.add(sleeper);
			signal?.addEventListener('abort', wake);
		});
		if (this.isWorking) void this.leapWhenQuiet(this.isWorking);
		await sleeping;
	}

	/**
	 * Lets time pass until the work is done.
	 *
	 * @throws Error if the work would never end, which would block this test and slow the next ones
	 */
	async run<T>(work: Promise<T>): Promise<T> {
		const endMs = this.nowMs + MAX_RUN_MS;
		let turnsAwake = 0;
		let isDone = false;
		const settle = () => {
			isDone = true;
		};
		work.then(settle, settle);
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			if (isDone) return await work;
			turnsAwake = this.sleepers.size > 0 ? 0 : turnsAwake + 1;
			if (turnsAwake > MAX_TURNS_AWAKE) throw new Error('The work waits, but not for time');
			if (this.nowMs > endMs) throw new Error('The work has not ended within a month');
			this.leap();
		}
	}

	private async leapWhenQuiet(isWorking: () => boolean): Promise<void> {
		if (this.isLeaping) return;
		this.isLeaping = true;
		while (this.sleepers.size > 0) {
			await new Promise((resolve) => setImmediate(resolve));
			this.quietTurns = isWorking() ? 0 : this.quietTurns + 1;
			if (this.quietTurns >= QUIET_TURNS) this.leap();
		}
		this.isLeaping = false;
	}

	/** Jumps to the next wake-up. */
	private leap(): void {
		let nextMs = Infinity;
		for (const { wakeAtMs } of this.sleepers) nextMs = Math.min(nextMs, wakeAtMs);
		if (nextMs === Infinity) return;
		this.nowMs = nextMs;
		for (const sleeper of [...this.sleepers]) if (sleeper.wakeAtMs <= nextMs) sleeper.wake();
	}
}
