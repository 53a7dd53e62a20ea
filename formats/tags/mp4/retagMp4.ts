import {
	type Retagged,
	type TagRequest,
	type TimedChapter,
	untagged,
	withEnds,
	withNote,
	withinFile,
} from '../episodeTags';
import { BOX_HEADER_BYTES, type Box, box, boxAt, boxesIn, bytesOf } from './boxes';
import { chapterTrack } from './chapterTrack';
import { blankTags } from './tagBlanker';
import { filmOf, moveSound, withChapterReference } from './tracks';
import { userDataOf } from './userData';

/** Boxes of an index that are written again, and free space. */
const REPLACED: ReadonlySet<string> = new Set(['udta', 'free']);

/** Whether a file begins like an MP4 or M4A file. */
export function isMp4(head: Buffer): boolean {
	return head.toString('latin1', 4, BOX_HEADER_BYTES) === 'ftyp';
}

/** Boxes before the index. This is asked again with each chunk, and a file may begin with millions. */
const MAX_BOXES_BEFORE = 100;

/** How many bytes of the start hold the index of the sound, as far as the bytes that are there show. */
export function neededMp4Bytes(head: Buffer): number {
	let start = 0;
	let count = 0;
	for (let next = boxAt(head, 0); next; next = boxAt(head, start)) {
		count += 1;
		if (count > MAX_BOXES_BEFORE) return head.length;
		if (next.type === 'moov') return next.end;
		if (next.type === 'mdat' || next.end === Infinity) return head.length;
		start = next.end;
	}
	// A header with a long size has 16 bytes. If those are no header, more bytes would not make them one.
	return start + 2 * BOX_HEADER_BYTES;
}

/**
 * Writes tags and chapters into an MP4 file whose index (`moov`) comes before its sound.
 *
 * @param head the start of the file with the whole index
 */
export function retagMp4(head: Buffer, request: TagRequest): Retagged {
	const moov = boxesIn(head, 0, head.length).find(({ type }) => type === 'moov');
	if (head.toString('latin1', BOX_HEADER_BYTES, 12) === 'qt  ') {
		return untagged(head, 'it is a QuickTime file');
	}
	if (moov === undefined) return untagged(head, INDEX_IS_LATE);
	const isFragmented = boxesIn(head, moov.bodyStart, moov.end).some(({ type }) => type === 'mvex');
	if (isFragmented) return untagged(head, 'it is a fragmented MP4 file');
	const source = request.existing === 'keep' ? head : blankTags(Buffer.from(head));
	const within = withinFile(request, filmSeconds(source, moov));
	const made = rewritten(source, moov, within.request);
	const end = request.existing === 'keep' ? undefined : 'blanked';
	return made
		? withNote({ head: made, isTagged: true, end }, within.note)
		: untagged(head, 'it is too large for its index');
}

/** The length of the film in an index; undefined if the index does not say it. */
function filmSeconds(head: Buffer, moov: Box): number | undefined {
	const parts = boxesIn(head, moov.bodyStart, moov.end).map((one) => bytesOf(head, one));
	const { duration = 0, timeScale = 0 } = filmOf(parts) ?? {};
	return duration > 0 && timeScale > 0 ? duration / timeScale : undefined;
}

const INDEX_IS_LATE =
	'its index comes after the sound, or is larger than 16 MB, so it does not fit into memory';

/**
 * The start of the file with the new index, and the titles of the chapters after it. Undefined if the
 * numbers in the index are too short for the new positions of the sound.
 */
function rewritten(head: Buffer, moov: Box, request: TagRequest): Buffer | undefined {
	const old = boxesIn(head, moov.bodyStart, moov.end);
	const chapters = withEnds(request.chapters ?? []);
	const oldUserData = old.find(({ type }) => type === 'udta');
	const userData = userDataOf(head, oldUserData, request, chapters);
	const kept = old.filter(({ type }) => !REPLACED.has(type)).map((one) => bytesOf(head, one));
	const { parts, texts, trackFor } = withChapters(kept, chapters);
	const index = Buffer.concat(parts);
	const made = (textsStart: number) => box('moov', index, trackFor(textsStart), ...userData);
	const madeBytes = made(0).length;
	const addedBytes = madeBytes + texts.length - (moov.end - moov.start);
	const { language } = request.existing === 'remove' ? {} : request.tags;
	if (!moveSound(index, { from: moov.end, byBytes: addedBytes, language })) return undefined;
	return Buffer.concat([
		head.subarray(0, moov.start),
		made(moov.start + madeBytes + BOX_HEADER_BYTES),
		texts,
		head.subarray(moov.end),
	]);
}

/** The parts of the index, and what chapters add to it and after it: nothing if there are none. */
function withChapters(kept: readonly Buffer[], chapters: readonly TimedChapter[]) {
	const film = filmOf(kept);
	if (chapters.length === 0 || film === undefined) {
		return { parts: kept, texts: Buffer.alloc(0), trackFor: () => Buffer.alloc(0) };
	}
	const { texts, trackFor } = chapterTrack(chapters, film);
	return { parts: withChapterReference(kept, film.trackId), texts: box('mdat', texts), trackFor };
}
