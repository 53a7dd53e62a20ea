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

/** The content whose start was taken off, with another start. Of a stream that has ended, this is all. */
export function withHead(content: ByteStream | Buffer, head: Buffer): ByteStream | Buffer {
	if (Buffer.isBuffer(content) || content.readableEnded) return head;
	// n8n would wait for the end of a stream that has failed.
	if (content.destroyed) throw content.errored ?? new Error(CLOSED_EARLY);
	if (head.length > 0) content.unshift(head);
	return content;
}

/** Content without the tags at its end, which are known when it has been read. */
export interface WithoutEndTags {
	readonly content: ByteStream | Buffer;
	/** The tags that were found. */
	found?: EndTags;
}

/** Takes the tags off the end of content. Of a stream, the last one or two megabytes are held back until it ends. */
export function withoutEndTags(content: ByteStream | Buffer): WithoutEndTags {
	if (Buffer.isBuffer(content)) {
		const found = endTags(content.subarray(-END_BYTES));
		return { content: content.subarray(0, content.length - found.sizeBytes), found };
	}
	const without: WithoutEndTags = {
		content: survivingErrors(
			content.compose<ByteStream>(async function* (source: AsyncIterable<Buffer>) {
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
				const end = Buffer.concat([...older, ...newer]);
				without.found = endTags(end.subarray(-END_BYTES));
				yield end.subarray(0, end.length - without.found.sizeBytes);
			}),
		),
	};
	return without;
}

/** The content of an MP4 file whose tags outside the index are free space. A buffer is changed in place. */
export function withBlankTags(content: ByteStream | Buffer): ByteStream | Buffer {
	const blanker = new TagBlanker();
	if (Buffer.isBuffer(content)) return Buffer.concat([blanker.push(content), blanker.rest()]);
	return survivingErrors(
		content.compose<ByteStream>(async function* (source: AsyncIterable<Buffer>) {
			for await (const chunk of source) yield blanker.push(chunk);
			yield blanker.rest();
		}),
	);
}

/** If a stream fails while nobody reads it, its error would end n8n's process. */
function survivingErrors(content: ByteStream): ByteStream {
	return content.on('error', () => {});
}
