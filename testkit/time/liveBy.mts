import type { Time } from '../../api/time.ts';

/** What code of a dead process waits for. One promise for all would keep all that waits for it. */
export async function never(): Promise<never> {
	return await new Promise<never>(() => undefined);
}

/**
 * Lets built nodes live by a clock from now on; everything else in them is as shipped.
 *
 * @param systemTime of the nodes
 * @param isDead whether their process is dead: then none of their sleeps ends
 */
export function liveBy(systemTime: Time, time: Time, isDead = () => false): void {
	Object.assign(systemTime, {
		now: () => time.now(),
		timeOfDay: () => time.timeOfDay(),
		random: () => time.random(),
		sleep: async (ms: number, signal?: AbortSignal) => {
			await time.sleep(ms, signal);
			if (isDead()) await never();
		},
	});
}
