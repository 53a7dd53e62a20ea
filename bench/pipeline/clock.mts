import { createRequire } from 'node:module';

import type { Time } from '../../api/time.ts';

const require = createRequire(import.meta.url);

const { systemTime } = require('../../dist/api/time.js') as { systemTime: Time };

/** The clock as shipped. */
const shipped = { ...systemTime };

/** Lets the built nodes live by this clock from now on; everything else in them is as shipped. */
export function liveBy(time: Time): void {
	Object.assign(systemTime, {
		now: () => time.now(),
		timeOfDay: () => time.timeOfDay(),
		random: () => time.random(),
		sleep: async (ms: number, signal?: AbortSignal) => {
			await time.sleep(ms, signal);
		},
	});
}

/** Gives the built nodes the system's clock again: a virtual one does not move outside its trial. */
export function liveInRealTime(): void {
	Object.assign(systemTime, shipped);
}
