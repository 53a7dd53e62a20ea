import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/**
 * Longer than anything takes on a busy machine: the limit only ends a test that would never end, before
 * testkit/process/runFiles.mts ends its file.
 */
export const PATIENCE_MS = 900_000;

/**
 * Polls `read` until it returns true or a value.
 *
 * @throws Error that names the condition `what` when the time is up
 */
export async function eventually<T>(
	what: string,
	read: () => Promise<T | false | undefined> | T | false | undefined,
): Promise<T> {
	// A test may have set or stopped `Date`.
	const endMs = performance.now() + PATIENCE_MS;
	while (performance.now() < endMs) {
		const value = await read();
		if (value !== undefined && value !== false) return value;
		await sleep(LOOK_EVERY_MS);
	}
	throw new Error(`Timed out after ${PATIENCE_MS / 1_000} s waiting for: ${what}`);
}
