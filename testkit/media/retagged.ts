import type { EpisodeTags, TagRequest } from '../../formats/tags/episodeTags';
import { neededHeadBytes, retag } from '../../formats/tags/retag';
import { ffmpeg } from './mediaFiles';

export const TEXTS = {
	title: 'Bread & Time 🍞 — "α" <1>',
	author: 'مريم جونز',
	show: "Ma\u0301ria's Kitchen",
	description: 'First line\nSecond line: ½ ]]> & more',
	date: '2026-11-22T16:20:00',
	language: 'por',
};
export const TAGS: EpisodeTags = { ...TEXTS, episodeNumber: 12, season: 3 };

export const CHAPTERS = [
	{ startSeconds: 0, title: 'Welcome' },
	{ startSeconds: 4.5, title: 'Patience ⏳', url: 'https://shop.example/?a=1&b=2' },
	{ startSeconds: 7.25, endSeconds: 9, title: 'Bye' },
];

/** Many chapters in the first seconds of a file. */
export const manyChapters = (count: number, perSecond: number) =>
	Array.from({ length: count }, (_chapter, index) => ({
		startSeconds: index / perSecond,
		title: `Chapter ${index} ⏳`,
	}));

/** The start and the title of each chapter. */
export const startsOf = (chapters: ReadonlyArray<{ startSeconds: number; title: string }>) =>
	chapters.map(({ startSeconds, title }) => [startSeconds, title]);

/** A small red JPEG. */
export function redCover(): Buffer {
	const picture = ['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'mjpeg', '-'];
	return ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=64x64', ...picture]);
}

const littleEndian = (value: number) => {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
};

/** An APE tag of version 2 with a header and one text. */
export function apeTag(key: string, text: string): Buffer {
	const value = Buffer.from(text);
	const item = [littleEndian(value.length), littleEndian(0), Buffer.from(`${key}\0`), value];
	const size = Buffer.concat(item).length + 32;
	const ends = [0xa000_0000, 0x8000_0000].map((flags) =>
		Buffer.concat([Buffer.from('APETAGEX'), ...[2_000, size, 1, flags, 0, 0].map(littleEndian)]),
	);
	return Buffer.concat([ends[0], ...item, ends[1]]);
}

/** An ID3v1 tag with a title. */
export function id3v1Tag(title: string): Buffer {
	return Buffer.from(`TAG${title}`.padEnd(128, '\0'), 'latin1');
}

/** A block of lyrics of version 1 or 2 (id3.org, "Lyrics3"), which comes before a tag of ID3v1. */
export function lyrics3(text: string, version: 1 | 2): Buffer {
	const field = version === 1 ? text : `LYR${String(text.length).padStart(5, '0')}${text}`;
	const body = `LYRICSBEGIN${field}`;
	const end = version === 1 ? 'LYRICSEND' : `${String(body.length).padStart(6, '0')}LYRICS200`;
	return Buffer.from(body + end, 'latin1');
}

/** Tags a file as a node does: from its start alone. */
export function retagged(file: Buffer, request: Partial<TagRequest>) {
	let needed = 12;
	while (neededHeadBytes(file.subarray(0, needed)) > needed) {
		needed = neededHeadBytes(file.subarray(0, needed));
	}
	const head = file.subarray(0, needed);
	const made = retag(head, { tags: {}, existing: 'keep', ...request }, file.length);
	const whole = Buffer.concat([made.head, file.subarray(head.length)]);
	return { ...made, file: whole, headBytes: needed };
}

/** Tags a file, which must succeed without a note. */
export function tagged(file: Buffer, request: Partial<TagRequest>): Buffer {
	const { file: made, isTagged, note } = retagged(file, request);
	if (!isTagged || note !== undefined) throw new Error(`Not tagged: ${note}`);
	return made;
}
