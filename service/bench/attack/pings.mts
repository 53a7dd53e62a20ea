import { setTimeout as wait } from 'node:timers/promises';

import type { ChildService } from '../../../testkit/service/childService.mts';
import { send } from '../../../testkit/service/client.mts';

const PING_EVERY_MS = 20;

/**
 * Asks for /ping until an attack is over, and once more after it.
 *
 * @param answered called with the milliseconds that an answer took
 * @throws Error if there is no answer
 */
export async function pingUntil(
	stop: AbortSignal,
	{ client }: ChildService,
	answered: (ms: number) => void,
): Promise<void> {
	for (let isLast = false; !isLast; ) {
		isLast = stop.aborted;
		const began = performance.now();
		await send('GET', `${client.url}/ping`);
		answered(performance.now() - began);
		await wait(PING_EVERY_MS);
	}
}
