import type { IExecuteFunctions } from 'n8n-workflow';

/** A readable stream as n8n hands it out. */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** A file on its way to a signed URL. */
export interface FileBody {
	content: ByteStream | Buffer;
	sizeBytes: number;
	contentType: string;
}

/**
 * Watches how much of a file is sent. The request would wait for the bytes that never come until its
 * limit, so it is ended as soon as it is known that the file is not as long as announced.
 *
 * @returns what was found, once the request has ended; undefined where nothing is wrong
 */
export function watchSize(
	{ content, sizeBytes }: FileBody,
	hangUp: AbortController,
): () => string | undefined {
	if (Buffer.isBuffer(content)) return () => undefined;
	let sentBytes = 0;
	let finding: string | undefined;
	const refuse = () => {
		finding = `${sentBytes} instead of ${sizeBytes} bytes`;
		hangUp.abort();
	};
	// Paused, so that listening does not start it: nothing may flow before the request takes it.
	content.pause();
	content.on('data', (chunk: Buffer) => {
		sentBytes += chunk.length;
		if (sentBytes > sizeBytes) refuse();
	});
	content.on('end', () => {
		if (sentBytes < sizeBytes) refuse();
	});
	return () => finding;
}
