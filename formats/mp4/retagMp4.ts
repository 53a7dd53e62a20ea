import {
	type Retagged,
	type TagRequest,
	type TimedChapter,
	untagged,
	withEnds,
} from '../episodeTags';
import { BOX_HEADER_BYTES, type Box, box, boxAt, boxesIn, bytesOf, words } from './boxes';
import { itemList, itemsOf, readItems } from './itemList';
import { OffsetOverflow, withMovedSound, withoutOldChapters } from './tracks';

/** Units of Nero's chapters in a second. */
const CHAPTER_UNITS = 10_000_000;

/** Nero's chapters, and their titles, are counted in one byte. */
const CHAPTERS_MAXIMUM = 255;

/** Whether a file begins like an MP4 or M4A file. */
export function isMp4(head: Buffer): boolean {
	return head.toString('latin1', 4, BOX_HEADER_BYTES) === 'ftyp';
}

/** How many bytes of the start hold the index of the sound, as far as the bytes that are there show. */
export function neededMp4Bytes(head: Buffer): number {
	let start = 0;
	for (let next = boxAt(head, 0); next; next = boxAt(head, start)) {
		if (next.type === 'moov') return next.end;
		if (next.type === 'mdat' || next.end === Infinity) return head.length;
		start = next.end;
	}
	// A header with a long size has 16 bytes. One that is there and is no header gets no longer by more.
	return start + 2 * BOX_HEADER_BYTES;
}

/**
 * Writes tags and chapters into an MP4 file whose index (`moov`) comes before its sound.
 *
 * @param head the start of the file with the whole index
 */
export function retagMp4(head: Buffer, request: TagRequest): Retagged {
	const moov = boxesIn(head, 0, head.length).find(({ type }) => type === 'moov');
	const unfit = unfitReason(head, moov);
	if (moov === undefined || unfit !== undefined) {
		return untagged(head, unfit ?? 'it has no index');
	}
	const old = boxesIn(head, moov.bodyStart, moov.end);
	const chapters = withEnds(request.chapters ?? []);
	const userData = userDataOf(
		head,
		old.find(({ type }) => type === 'udta'),
		request,
		chapters,
	);
	const kept = old.filter(({ type }) => type !== 'udta').map((one) => bytesOf(head, one));
	const made = box('moov', ...kept, ...userData);
	try {
		const moved = withMovedSound(made, moov.end, made.length - (moov.end - moov.start), request);
		const index = chapters.length > 0 ? withoutOldChapters(moved) : moved;
		const whole = Buffer.concat([head.subarray(0, moov.start), index, head.subarray(moov.end)]);
		return { head: whole, isTagged: true, note: chaptersNote(chapters) };
	} catch (error) {
		if (!(error instanceof OffsetOverflow)) throw error;
		return untagged(head, 'it is too large for the index that it has');
	}
}

/** Why an MP4 file cannot be written into while it streams. */
function unfitReason(head: Buffer, moov: Box | undefined): string | undefined {
	if (head.toString('latin1', BOX_HEADER_BYTES, 12) === 'qt  ') return 'it is a QuickTime file';
	if (moov === undefined) {
		return 'its index comes after the sound, or is larger than 16 MB, so it does not fit into memory';
	}
	const isFragmented = boxesIn(head, moov.bodyStart, moov.end).some(({ type }) => type === 'mvex');
	return isFragmented ? 'it is a fragmented MP4 file' : undefined;
}

function chaptersNote({ length }: readonly TimedChapter[]): string | undefined {
	return length > CHAPTERS_MAXIMUM
		? `Chapters after the first ${CHAPTERS_MAXIMUM} left out of the edited file, since MP4 has no room for more`
		: undefined;
}

/** The box `udta`, with the tags and chapters; none if it would be empty. */
function userDataOf(
	head: Buffer,
	old: Box | undefined,
	{ tags, existing }: TagRequest,
	chapters: readonly TimedChapter[],
): Buffer[] {
	const kept = old && existing === 'keep' ? boxesIn(head, old.bodyStart, old.end) : [];
	const meta = kept.find(({ type }) => type === 'meta');
	const items = itemList(
		existing === 'remove' ? [] : itemsOf(tags),
		meta ? readItems(head, meta) : [],
	);
	const isReplaced = ({ type }: Box) => type === 'meta' || (type === 'chpl' && chapters.length > 0);
	const others = kept.filter((one) => !isReplaced(one)).map((one) => bytesOf(head, one));
	const content = [...others, ...chapterList(chapters), ...items];
	return content.length > 0 ? [box('udta', ...content)] : [];
}

/** The chapters in the form of Nero, which most players read. */
function chapterList(chapters: readonly TimedChapter[]): Buffer[] {
	if (chapters.length === 0) return [];
	const listed = chapters.slice(0, CHAPTERS_MAXIMUM).map(({ startSeconds, title }) => {
		const start = Buffer.alloc(8);
		start.writeBigUInt64BE(BigInt(Math.round(startSeconds * CHAPTER_UNITS)));
		const text = cutUtf8(title, 255);
		return Buffer.concat([start, Buffer.from([text.length]), text]);
	});
	return [box('chpl', words(0x0100_0000, 0), Buffer.from([listed.length]), ...listed)];
}

/** A text in UTF-8, cut to a number of bytes between two characters. */
function cutUtf8(text: string, bytesMaximum: number): Buffer {
	let end = bytesMaximum;
	const bytes = Buffer.from(text);
	if (bytes.length <= bytesMaximum) return bytes;
	while ((bytes[end] & 0xc0) === 0x80) end--;
	return bytes.subarray(0, end);
}
