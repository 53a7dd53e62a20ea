import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** More is not read of a body that is refused. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Nobody sends for longer than this without an answer, real milliseconds. */
const LONGEST_MS = 10_000;

/**
 * Reads what is left of a body that is refused, and throws it away: a client that still sends when
 * the connection is closed sees a broken pipe instead of the answer.
 */
export async function drain(request: IncomingMessage): Promise<void> {
	if (request.readableEnded || request.destroyed) return;
	const given = new AbortController();
	const over = new Promise<void>((resolve) => {
		let bytes = 0;
		request.on('data', (chunk: Uint8Array) => {
			bytes += chunk.length;
			if (bytes > MOST_BYTES) resolve();
		});
		for (const end of ['end', 'close', 'error']) request.once(end, resolve);
		request.resume();
	});
	await Promise.race([over, wait(LONGEST_MS, undefined, { signal: given.signal })]);
	given.abort();
}
