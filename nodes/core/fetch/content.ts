import type { ByteStream } from '../../../api/fileBody';
import { type EndTags, END_BYTES, endTags } from '../../../formats/tags/id3/endTags';
import { TagBlanker } from '../../../formats/tags/mp4/tagBlanker';

const CLOSED_EARLY = 'The connection closed before the end of the file';

/** Content to store. */
export interface AlteredContent {
	readonly content: ByteStream | Buffer;
	/** By how many bytes it is longer than what was received; known when it has been read. */
	readonly addedBytes: () => number;
}

/**
 * Changes content before it is stored.
 *
 * @param sizeBytes the size of the content, if known
 * @throws the error of the stream
 */
export type AlterContent = (
	content: ByteStream | Buffer,
	sizeBytes?: number,
) => Promise<AlteredContent>;

export const unaltered: AlterContent = async (content) => ({ content, addedBytes: () => 0 });

/** The content whose start was taken off, with another start. Of a stream that has ended, this is all. */
export function withHead(content: ByteStream | Buffer, head: Buffer): ByteStream | Buffer {
	if (Buffer.isBuffer(content) || content.readableEnded) return head;
	// n8n would wait for the end of a stream that has failed.
	if (content.destroyed) throw content.errored ?? new Error(CLOSED_EARLY);
	if (head.length > 0) content.unshift(head);
	return content;
}

/**
 * Calls a function with each chunk of a stream that somebody else reads.
 *
 * A `data` listener would start the stream, so we add ours when the reader adds its own. n8n reads some
 * streams by `data`, which never starts a paused one, and others by `readable`.
 */
export function watchReading(content: ByteStream, onChunk: (chunk: Buffer) => void): void {
	const join = (event: string) => {
		if (event !== 'data' && event !== 'readable') return;
		content.off('newListener', join);
		content.on('data', onChunk);
	};
	content.on('newListener', join);
}

/**
 * Content without the tags at its end. Of a stream, the last one or two megabytes are held back until it
 * ends.
 *
 * @param onEnd is called with the tags that were found
 */
export function withoutEndTags(
	content: ByteStream | Buffer,
	onEnd: (found: EndTags) => void,
): ByteStream | Buffer {
	const cut = (end: Buffer) => {
		const found = endTags(end.subarray(-END_BYTES));
		onEnd(found);
		return end.subarray(0, end.length - found.sizeBytes);
	};
	if (Buffer.isBuffer(content)) return cut(content);
	return composed(content, async function* (source) {
		let older: Buffer[] = [];
		let newer: Buffer[] = [];
		let newerBytes = 0;
		for await (const chunk of source) {
			newer.push(chunk);
			newerBytes += chunk.length;
			if (newerBytes < END_BYTES) continue;
			yield* older;
			older = newer;
			newer = [];
			newerBytes = 0;
		}
		yield cut(Buffer.concat([...older, ...newer]));
	});
}

/** The content of an MP4 file whose tags outside the index are free space. A buffer is changed in place. */
export function withBlankTags(content: ByteStream | Buffer): ByteStream | Buffer {
	const blanker = new TagBlanker();
	if (Buffer.isBuffer(content)) return Buffer.concat([blanker.push(content), blanker.rest()]);
	return composed(content, async function* (source) {
		for await (const chunk of source) yield blanker.push(chunk);
		yield blanker.rest();
	});
}

function composed(
	content: ByteStream,
	change: (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>,
): ByteStream {
	// If the stream fails while nobody reads it, its error would end n8n's process.
	return content.compose<ByteStream>(change).on('error', () => {});
}
