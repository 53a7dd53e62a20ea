import type { ByteStream } from '../../../api/fileBody';
import { END_BYTES, type EndTags, endTags } from '../../../formats/tags/id3/endTags';

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
	const made = content.compose<ByteStream>(async function* (source: AsyncIterable<Buffer>) {
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
	// If the stream fails while nobody reads it, its error would end n8n's process.
	return made.on('error', () => {});
}
