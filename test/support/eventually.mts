import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/**
 * Polls `read` until it returns a value.
 *
 * @throws Error that names the condition `what` when the time is up
 */
export async function eventually<T>(
	what: string,
	read: () => Promise<T | undefined> | T | undefined,
	patienceMs = 60_000,
): Promise<T> {
	const endMs = Date.now() + patienceMs;
	while (Date.now() < endMs) {
		const value = await read();
		if (value !== undefined) return value;
		await sleep(LOOK_EVERY_MS);
	}
	throw new Error(`Timed out after ${patienceMs / 1_000} s waiting for: ${what}`);
}
