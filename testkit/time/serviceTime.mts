import { mock } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import type { ServiceClock } from '../../service/shared/clock.mts';
import { VirtualTime } from './virtualTime.ts';

/**
 * Real time plus what the test advances it by, for services inside the process of a test. A slow machine
 * therefore expires nothing early, and the test decides when something expires. Sleeps last a hundredth
 * unless the test advances the clock past their end.
 */
export function briefSleeps(): VirtualTime {
	return new VirtualTime({ startMs: Date.now(), speed: 1, sleepSpeed: 100 });
}

/** The same, but sleeps last until the test advances the clock. One sleeper sweeps every hour. */
export function sleepsUntilAdvanced(): VirtualTime {
	return new VirtualTime({ startMs: Date.now(), speed: 1 });
}

/** Lets a service live by the clock of a test, which must pass by itself. */
export function serviceClockOf(time: VirtualTime): ServiceClock {
	const began = { realMs: Date.now(), timeOfDayMs: time.timeOfDay(), ageMs: time.now() };
	const nowMs = () => Math.round(time.timeOfDay());
	const realMs = (serviceMs: number) => serviceMs / time.speed;
	return {
		nowMs,
		realNowMs: () => began.realMs + realMs(time.timeOfDay() - began.timeOfDayMs),
		moment: () => ({ nowMs: nowMs(), ageMs: Math.round(time.now() - began.ageMs) }),
		realMs,
		sleep: async (serviceMs, signal) => {
			await time.sleep(serviceMs, signal);
			// Rejects as the service's own clock does.
			if (signal?.aborted) await wait(0, undefined, { signal });
		},
	};
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
