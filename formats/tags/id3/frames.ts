import type { EpisodeTags, Picture, TimedChapter } from '../episodeTags';

/** Frames of ID3v2.4, https://id3.org/id3v2.4.0-frames and https://id3.org/id3v2-chapters-1.0. */

/** A frame of a tag that a file has. */
export interface Id3Frame {
	readonly id: string;
	/** Both bytes of flags. */
	readonly flags: number;
	readonly body: Buffer;
}

/** The frames of a tag that a file has, and how many of its frames have no form in version 2.4. */
export interface ReadTag {
	readonly frames: readonly Id3Frame[];
	readonly lost: number;
}

/** How a version of ID3v2 lays out a frame. */
interface FrameLayout {
	readonly nameBytes: number;
	readonly headerBytes: number;
	/** The size of the body of the frame that begins at an offset. */
	readonly sizeOf: (bytes: Buffer, start: number) => number;
}

/** The most frames that are read. A tag can have millions, which would block n8n for seconds. */
const MAX_FRAMES = 5_000;

export const FRAME_ID = /^[A-Z][A-Z0-9]{2,3}$/;

/**
 * The frames at the start of some bytes, up to the padding or a frame that is not there as a whole.
 *
 * @throws if there are too many
 */
export function framesIn(
	bytes: Buffer,
	{ nameBytes, headerBytes, sizeOf }: FrameLayout,
	maximum = MAX_FRAMES,
): Id3Frame[] {
	const frames: Id3Frame[] = [];
	for (let start = 0; start + headerBytes <= bytes.length; ) {
		const id = bytes.toString('latin1', start, start + nameBytes);
		const bodyStart = start + headerBytes;
		if (!FRAME_ID.test(id)) break;
		const end = bodyStart + sizeOf(bytes, start);
		if (end > bytes.length) break;
		// Frames of version 2.2 have no flags.
		const flags = nameBytes === 3 ? 0 : bytes.readUInt16BE(start + 8);
		frames.push({ id, flags, body: bytes.subarray(bodyStart, end) });
		if (frames.length > maximum) {
			throw new RangeError(`the old tag has more than ${maximum} frames`);
		}
		start = end;
	}
	return frames;
}

const UTF_8 = 3;
const FRONT_COVER = 3;

/** ID3's code for a language that is not known. */
const UNKNOWN_LANGUAGE = 'XXX';

/** The byte offset of a chapter of which only the time counts. */
const NO_OFFSET = 0xffff_ffff;

/** A table of contents counts its entries in one byte. */
const MAX_ENTRIES = 255;

const TOP_LEVEL_AND_ORDERED = 3;
const ORDERED = 1;

/** A size in 4 bytes of 7 bits each; up to 256 MB. */
export function syncSafe(size: number): Buffer {
	return Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));
}

/** A frame with its header. @param flags both bytes of flags */
export function frame(id: string, body: Buffer, flags = 0): Buffer {
	const flagBytes = Buffer.from([flags >> 8, flags & 0xff]);
	return Buffer.concat([Buffer.from(id, 'latin1'), syncSafe(body.length), flagBytes, body]);
}

/** A tag with these frames; empty without frames. */
export function id3Tag(frames: readonly Buffer[]): Buffer {
	const body = Buffer.concat(frames);
	if (body.length === 0) return body;
	return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), syncSafe(body.length), body]);
}

/** The frames of the fields that are set; empty texts are left out. */
export function tagFrames(tags: EpisodeTags): Buffer[] {
	const { episodeNumber, season, language, description, cover } = tags;
	return [
		...textFrame('TIT2', tags.title),
		...textFrame('TPE1', tags.author),
		...textFrame('TALB', tags.show),
		...textFrame('TRCK', episodeNumber?.toString()),
		...textFrame('TPOS', season?.toString()),
		...textFrame('TDRC', tags.date),
		...textFrame('TLAN', language),
		...textFrame('TDES', description),
		...(description ? [commentFrame(description, language ?? UNKNOWN_LANGUAGE)] : []),
		...(cover ? [pictureFrame(cover)] : []),
	];
}

function textFrame(id: string, text: string | undefined): Buffer[] {
	return text ? [frame(id, utf8(text))] : [];
}

/** A text with its encoding. Frames that hold several texts separate them by NUL, so it must have none. */
function utf8(text: string): Buffer {
	return Buffer.from(`${String.fromCharCode(UTF_8)}${text.replaceAll('\0', '')}`);
}

function commentFrame(text: string, language: string): Buffer {
	const start = Buffer.from(`${String.fromCharCode(UTF_8)}${language}\0`);
	return frame('COMM', Buffer.concat([start, utf8(text).subarray(1)]));
}

function pictureFrame({ mimeType, bytes }: Picture): Buffer {
	const start = Buffer.from(`\0${mimeType}\0${String.fromCharCode(FRONT_COVER)}\0`, 'latin1');
	return frame('APIC', Buffer.concat([start, bytes]));
}

/** The frames of chapters: the table of contents, which some players need, and one per chapter. */
export function chapterFrames(chapters: readonly TimedChapter[]): Buffer[] {
	if (chapters.length === 0) return [];
	const ids = chapters.map((_chapter, index) => `chp${index + 1}`);
	const frames = chapters.map((chapter, index) => chapterFrame(ids[index], chapter));
	return [...contentsFrames(ids), ...frames];
}

/** One table of contents, or for more than 255 chapters one of several tables. */
function contentsFrames(ids: readonly string[]): Buffer[] {
	if (ids.length <= MAX_ENTRIES) return [contentsFrame('toc', TOP_LEVEL_AND_ORDERED, ids)];
	const count = Math.min(Math.ceil(ids.length / MAX_ENTRIES), MAX_ENTRIES);
	const parts = Array.from({ length: count }, (_part, index) => ({
		id: `toc${index + 1}`,
		entries: ids.slice(index * MAX_ENTRIES, (index + 1) * MAX_ENTRIES),
	}));
	const partIds = parts.map(({ id }) => id);
	const top = contentsFrame('toc', TOP_LEVEL_AND_ORDERED, partIds);
	return [top, ...parts.map(({ id, entries }) => contentsFrame(id, ORDERED, entries))];
}

function contentsFrame(id: string, flags: number, entries: readonly string[]): Buffer {
	const names = entries.map((entry) => `${entry}\0`).join('');
	const counted = Buffer.from([flags, entries.length]);
	return frame('CTOC', Buffer.concat([Buffer.from(`${id}\0`), counted, Buffer.from(names)]));
}

function chapterFrame(id: string, { startSeconds, endSeconds, title, url }: TimedChapter): Buffer {
	const times = Buffer.alloc(16);
	times.writeUInt32BE(Math.round(startSeconds * 1_000), 0);
	times.writeUInt32BE(Math.round(endSeconds * 1_000), 4);
	times.writeUInt32BE(NO_OFFSET, 8);
	times.writeUInt32BE(NO_OFFSET, 12);
	const texts = [...textFrame('TIT2', title), ...(url ? [linkFrame(url)] : [])];
	return frame('CHAP', Buffer.concat([Buffer.from(`${id}\0`), times, ...texts]));
}

/** A link of a chapter, with the description that podcast players look for. */
function linkFrame(url: string): Buffer {
	return frame('WXXX', Buffer.concat([Buffer.from('\0chapter url\0'), Buffer.from(url, 'latin1')]));
}
