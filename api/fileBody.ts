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
