import { sleep as realSleep } from 'n8n-workflow';

import type { Time } from '../../api/time';

/** How much faster the nodes' time runs in tests; start the local service with the same speed. */
export const TIME_SPEED = 20;

/**
 * Replaces `api/time` in tests that wait: time runs faster for the nodes, and for the local service with
 * `--clock-speed`. Limits and delays keep their meaning and tests stay short.
 *
 * Use: `jest.mock('../../api/time', () => jest.requireActual('../support/scaledTime'))`.
 */
export const systemTime: Time = {
	now: () => STARTED_AT_MS + (performance.now() - STARTED_MS) * TIME_SPEED,
	timeOfDay: () => Date.now() * TIME_SPEED - OFFSET_MS,
	sleep: async (ms, signal) => {
		try {
			await realSleep(ms / TIME_SPEED, signal);
		} catch {
			// aborted, as documented
		}
	},
	random: () => Math.random(),
};

/** All clocks show the same time at the start. */
const STARTED_AT_MS = Date.now();
const STARTED_MS = performance.now();
const OFFSET_MS = STARTED_AT_MS * (TIME_SPEED - 1);
