import { performance } from 'node:perf_hooks';
import { mock } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import type { Moment, ServiceClock } from '../../service/shared/clock.mts';

/** How long a sleep on a test clock lasts unless the test advances the clock past its end. */
type Sleeps = 'a hundredth' | 'until advanced';

interface Sleeper {
	readonly endsAtMs: number;
	readonly wake: () => void;
}

/** The longest delay that a timer takes, 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A service clock for services inside the process of a test: real time plus what the test advances it
 * by. A slow machine therefore expires nothing early, and the test decides when something expires.
 */
export class TestClock implements ServiceClock {
	private advancedMs = 0;
	private readonly beganAtTick = performance.now();
	private readonly sleepers = new Set<Sleeper>();

	constructor(private readonly sleeps: Sleeps = 'a hundredth') {}

	nowMs(): number {
		return Date.now() + this.advancedMs;
	}

	realNowMs(): number {
		return this.nowMs();
	}

	moment(): Moment {
		const ageMs = Math.round(performance.now() - this.beganAtTick) + this.advancedMs;
		return { nowMs: this.nowMs(), ageMs };
	}

	realMs(serviceMs: number): number {
		return serviceMs;
	}

	async sleep(serviceMs: number, signal?: AbortSignal): Promise<void> {
		const over = new AbortController();
		const signals = signal ? [signal, over.signal] : [over.signal];
		let wake: () => void = () => undefined;
		const woken = new Promise<void>((resolve) => (wake = resolve));
		const sleeper = { endsAtMs: this.nowMs() + serviceMs, wake };
		this.sleepers.add(sleeper);
		const limitMs = this.sleeps === 'a hundredth' ? serviceMs / 100 : MAX_TIMER_MS;
		try {
			const timer = wait(limitMs, undefined, { signal: AbortSignal.any(signals) });
			await Promise.race([woken, timer]);
		} finally {
			this.sleepers.delete(sleeper);
			over.abort();
		}
	}

	/** The number of sleepers. One of them sweeps what was kept long enough, every hour. */
	get sleeping(): number {
		return this.sleepers.size;
	}

	/** Lets time pass, and wakes those whose sleep is over by then. */
	advance(serviceMs: number): void {
		this.advancedMs += serviceMs;
		for (const sleeper of [...this.sleepers]) {
			if (sleeper.endsAtMs > this.nowMs()) continue;
			this.sleepers.delete(sleeper);
			sleeper.wake();
		}
	}
}

/** Does something with the machine's clock an hour back, such as signing a link that has expired. */
export async function longAgo<T>(work: () => Promise<T>): Promise<T> {
	mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 });
	try {
		return await work();
	} finally {
		mock.timers.reset();
	}
}
