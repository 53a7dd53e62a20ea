import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Largest part of a refused body to read. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Real milliseconds to read before answering anyway. */
const MAX_MS = 10_000;

/**
 * Reads and discards the rest of a refused body. A client that is still sending when the connection
 * closes would see a broken pipe instead of the response.
 */
export async function drain(request: IncomingMessage): Promise<void> {
	if (request.readableEnded || request.destroyed) return;
	const ended = new AbortController();
	const over = new Promise<void>((resolve) => {
		let bytes = 0;
		request.on('data', (chunk: Uint8Array) => {
			bytes += chunk.length;
			if (bytes > MAX_BYTES) resolve();
		});
		for (const end of ['end', 'close', 'error']) request.once(end, resolve);
		// From whatever stopped reading it.
		request.unpipe().resume();
	});
	await Promise.race([over, wait(MAX_MS, undefined, { signal: ended.signal })]);
	ended.abort();
}
