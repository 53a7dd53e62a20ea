import type { TagRequest, TimedChapter } from '../episodeTags';
import { type Box, box, boxesIn, bytesOf, words } from './boxes';
import { itemList, itemsOf, readItems } from './itemList';

/** Units of Nero's chapters in a second. */
const CHAPTER_UNITS = 10_000_000;

/** Nero's chapters, and the bytes of their titles, are counted in one byte. */
const MAX_COUNT = 255;

/** The box `udta`, with the tags and chapters; none if it would be empty. */
export function userDataOf(
	head: Buffer,
	old: Box | undefined,
	{ tags, existing }: TagRequest,
	chapters: readonly TimedChapter[],
): Buffer[] {
	const kept = old && existing === 'keep' ? boxesIn(head, old.bodyStart, old.end) : [];
	const meta = kept.find(({ type }) => type === 'meta');
	const items = existing === 'remove' ? [] : itemsOf(tags);
	const isReplaced = ({ type }: Box) => type === 'meta' || (type === 'chpl' && chapters.length > 0);
	const others = kept.filter((one) => !isReplaced(one)).map((one) => bytesOf(head, one));
	const list = itemList(items, meta ? readItems(head, meta) : []);
	const content = [...others, ...chapterList(chapters), ...list];
	return content.length > 0 ? [box('udta', ...content)] : [];
}

/**
 * The first 255 chapters in the form of Nero, which most players read. The track of chapters, which
 * others read, has all.
 */
function chapterList(chapters: readonly TimedChapter[]): Buffer[] {
	if (chapters.length === 0) return [];
	const listed = chapters.slice(0, MAX_COUNT).map(({ startSeconds, title }) => {
		const start = Buffer.alloc(8);
		start.writeBigUInt64BE(BigInt(Math.round(startSeconds * CHAPTER_UNITS)));
		const text = cutUtf8(title);
		return Buffer.concat([start, Buffer.from([text.length]), text]);
	});
	return [box('chpl', words(0x0100_0000, 0), Buffer.from([listed.length]), ...listed)];
}

/** A text in UTF-8, cut to 255 bytes between two characters. */
function cutUtf8(text: string): Buffer {
	const bytes = Buffer.alloc(MAX_COUNT);
	return bytes.subarray(0, new TextEncoder().encodeInto(text, bytes).written);
}
