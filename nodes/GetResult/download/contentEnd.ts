import type { ByteStream } from '../../../api/fileBody';
import { END_BYTES, type EndTags, endTags } from '../../../formats/tags/id3/endTags';
import { TagBlanker } from '../../../formats/tags/mp4/tagBlanker';

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
