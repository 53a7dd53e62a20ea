import { createRequire } from 'node:module';

import type { Time } from '../../api/time.ts';
import { liveBy } from './liveBy.mts';

const require = createRequire(import.meta.url);

const { systemTime } = require('../../dist/api/time.js') as { systemTime: Time };

/** Lets the nodes of this process's package live by this clock from now on. */
export function liveByBuilt(time: Time): void {
	liveBy(systemTime, time);
}

/**
 * Speed of the clock: 30 s to the first poll take 0.15 s, and 300 status calls a minute are 1,000 a second,
 * more than this machine makes. The rate limits are still counted, but never wait.
 */
const SPEED = 200;

/**
 * Lets time pass this much faster for the built nodes. Their own clock sleeps, only shorter, so that a
 * benchmark measures what it costs.
 */
export function quickenTime(speed = SPEED): void {
	const real = { ...systemTime };
	const startMs = real.now();
	const quickMs = () => startMs + (real.now() - startMs) * speed;
	Object.assign(systemTime, {
		now: quickMs,
		timeOfDay: quickMs,
		sleep: async (ms: number, signal?: AbortSignal) => {
			await real.sleep(ms / speed, signal);
		},
	});
}
