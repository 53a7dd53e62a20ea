import type { IExecuteFunctions } from 'n8n-workflow';

/** A readable stream from n8n. */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** A file to send to a signed URL. */
export interface FileBody {
	content: ByteStream | Buffer;
	sizeBytes: number;
	contentType: string;
}

/**
 * Aborts the request when the stream is longer or shorter than announced: the server would wait for the
 * missing bytes until the timeout.
 *
 * @returns a function for after the request: what was wrong with the size, if anything
 */
export function watchSize(
	{ content, sizeBytes }: FileBody,
	request: AbortController,
): () => string | undefined {
	if (Buffer.isBuffer(content)) return () => undefined;
	let sentBytes = 0;
	let mismatch: string | undefined;
	const refuse = () => {
		mismatch = `it has ${sentBytes} instead of ${sizeBytes} bytes`;
		request.abort();
	};
	// Adding a listener starts a stream that is not paused, and the request would miss its first bytes.
	content.pause();
	content.on('data', (chunk: Buffer) => {
		sentBytes += chunk.length;
		if (sentBytes > sizeBytes) refuse();
	});
	content.on('end', () => {
		if (sentBytes < sizeBytes) refuse();
	});
	return () => mismatch;
}

const MB = 1_024 * 1_024;

/** V8 begins to free memory outside its heap, such as chunks of files, after this much was added. */
const COLLECTED_AFTER_BYTES = 64 * MB;

/** A shorter interval needs less memory and more CPU: a collection takes V8 about 60 ms in a small n8n. */
const INTERVAL_BYTES = 20 * MB;

/** Bytes since the last reservation, over all streams, because they share the memory of the process. */
let passedBytes = 0;

/**
 * Makes V8 free the chunks of all watched streams about every 20 MB. Does not start the stream.
 *
 * By itself, V8 would wait for 64 MB, and a fast transfer adds up to as much again before they are freed.
 * So we reserve the amount that V8 waits for and drop it at once. Nothing is written into it, so it takes
 * no memory.
 */
export function freeChunksEarly(content: ByteStream): void {
	// Unlike `on`, this does not start the stream, which n8n reads later and in its own way.
	content.prependListener('data', (chunk: Buffer) => {
		passedBytes += chunk.length;
		if (passedBytes < INTERVAL_BYTES) return;
		passedBytes %= INTERVAL_BYTES;
		try {
			Buffer.alloc(COLLECTED_AFTER_BYTES);
		} catch {
			// If the system cannot reserve this much, V8 keeps its own pace.
		}
	});
}
