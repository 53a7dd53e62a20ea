import type { ByteStream } from '../../../api/fileBody';

/** Takes a copy of content on its way. */
export interface ContentReader {
	push(chunk: Buffer): void;
}

/**
 * Shows a reader each chunk of a stream that somebody else reads, or a buffer at once.
 *
 * A `data` listener would start the stream, so we add ours when the reader adds its own. n8n reads some
 * streams by `data`, which never starts a paused one, and others by `readable`.
 */
export function watchReading(content: ByteStream | Buffer, reader: ContentReader): void {
	if (Buffer.isBuffer(content)) {
		reader.push(content);
		return;
	}
	const join = (event: string) => {
		if (event !== 'data' && event !== 'readable') return;
		content.off('newListener', join);
		content.on('data', (chunk: Buffer) => reader.push(chunk));
	};
	content.on('newListener', join);
}
