/* eslint-disable @n8n/community-nodes/no-restricted-globals -- turns of the event loop, and the machine's time where a test says so */
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

/** The longest delay that a timer takes, 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How time passes; without settings it stands still from 0 on. */
interface Settings {
	/** What the clock shows at first. */
	readonly startMs?: number;
	/** How many times as fast as the machine's time it passes by itself; 0 for not at all. */
	readonly speed?: number;
	/** How many times as fast as the machine's time sleeps end by themselves; 0 for not at all. */
	readonly sleepSpeed?: number;
	/** What `random` returns; 0.5 by default. */
	readonly random?: () => number;
	/**
	 * Whether something outside of this thread's code works. With it, the clock leaps by itself, else only
	 * in `run`.
	 */
	readonly isWorking?: () => boolean;
}

/**
 * The one clock of tests and benchmarks. It is the `Time` of the nodes, and serviceTime.mts makes it the
 * clock of a service.
 *
 * By default it stops while any code works and jumps to the next wake-up when all code is asleep: hours
 * pass in milliseconds, and the order of events is the same in every run. For code that also uses the
 * machine's time, it may pass by itself.
 */
export class VirtualTime implements Time {
	/** How far the time of day is ahead of `now`; change it to let the machine's clock jump. */
	timeOfDayAheadMs = 0;

	readonly random: () => number;
	readonly speed: number;

	/** What the clock shows, apart from the time that passed by itself. */
	private shownMs: number;
	private readonly beganAtTick = performance.now();
	private readonly beganAtDate = Date.now();
	private readonly sleepSpeed: number;
	private readonly isWorking?: () => boolean;
	private readonly sleepers = new Set<Sleeper>();
	private quietTurns = 0;
	private isLeaping = false;

	constructor(settings: Settings = {}) {
		this.shownMs = settings.startMs ?? 0;
		this.speed = settings.speed ?? 0;
		this.sleepSpeed = settings.sleepSpeed ?? 0;
		this.random = settings.random ?? (() => 0.5);
		this.isWorking = settings.isWorking;
	}

	now(): number {
		return this.shownMs + this.passedMs();
	}

	/** Unlike `now`, it jumps when the machine's clock is set, if it passes by itself. */
	timeOfDay(): number {
		const passedMs = (Date.now() - this.beganAtDate) * this.speed;
		return this.shownMs + passedMs + this.timeOfDayAheadMs;
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		this.quietTurns = 0;
		if (ms <= 0 || signal?.aborted) return;
		const sleeping = new Promise<void>((resolve) => {
			const wake = () => {
				this.sleepers.delete(sleeper);
				signal?.removeEventListener('abort', wake);
				clearTimeout(timer);
				resolve();
			};
			const sleeper: Sleeper = { wakeAtMs: this.now() + ms, wake };
			const timer = this.sleepSpeed > 0 ? setTimeout(wake, this.timerMs(ms)) : undefined;
			this.sleepers.add(sleeper);
			signal?.addEventListener('abort', wake);
		});
		if (this.isWorking) void this.leapWhenQuiet(this.isWorking);
		await sleeping;
	}

	/** The number of sleepers. */
	get sleeping(): number {
		return this.sleepers.size;
	}

	/** Lets time pass, and wakes those whose sleep is over by then. */
	advance(ms: number): void {
		this.shownMs += ms;
		this.wakeUntil(this.now());
	}

	/**
	 * Lets time pass until the work is done.
	 *
	 * @throws Error if the work would never end, which would block this test and slow the next ones
	 */
	async run<T>(work: Promise<T>): Promise<T> {
		const endMs = this.now() + MAX_RUN_MS;
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
			if (this.now() > endMs) throw new Error('The work has not ended within a month');
			this.leap();
		}
	}

	private async leapWhenQuiet(isWorking: () => boolean): Promise<void> {
		if (this.isLeaping) return;
		this.isLeaping = true;
		while (this.sleepers.size > 0) {
			await new Promise((resolve) => setImmediate(resolve));
			this.quietTurns = isWorking() ? 0 : this.quietTurns + 1;
			if (this.quietTurns < QUIET_TURNS) continue;
			this.leap();
			// Code that wakes up may work for a few turns before it sleeps again.
			this.quietTurns = 0;
		}
		this.isLeaping = false;
	}

	/** Jumps to the next wake-up. */
	private leap(): void {
		let nextMs = Infinity;
		for (const { wakeAtMs } of this.sleepers) nextMs = Math.min(nextMs, wakeAtMs);
		if (nextMs === Infinity) return;
		this.shownMs = nextMs - this.passedMs();
		this.wakeUntil(nextMs);
	}

	private wakeUntil(untilMs: number): void {
		for (const sleeper of [...this.sleepers]) if (sleeper.wakeAtMs <= untilMs) sleeper.wake();
	}

	private passedMs(): number {
		return (performance.now() - this.beganAtTick) * this.speed;
	}

	private timerMs(ms: number): number {
		return Math.min(ms / this.sleepSpeed, MAX_TIMER_MS);
	}
}
