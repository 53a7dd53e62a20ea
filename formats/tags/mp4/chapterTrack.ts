import type { TimedChapter } from '../episodeTags';
import { box, words } from './boxes';

/** Units of the track in a second. */
const TIME_SCALE = 1_000;

const MATRIX = words(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);

/** The language code of an unknown language, and a quality of 0. */
const UNKNOWN_LANGUAGE = words(0x55c4_0000);

/** Says that the text before it is UTF-8. */
const IS_UTF_8 = box('encd', words(0x0000_0100));

/** The form of the texts: no font, color or position, since players show chapters in lists. */
const TEXT_DESCRIPTION = box('text', words(0, 1), Buffer.alloc(43));

/** What is known of the movie that the track belongs to. */
export interface Film {
	readonly trackId: number;
	/** In the units of the movie. */
	readonly duration: number;
	readonly timeScale: number;
}

/**
 * The chapters as a track of texts, as Apple's players read them (QuickTime File Format, "Chapter lists").
 * The first chapter begins at 0.
 *
 * @returns the texts, and the track for texts at a place in the file
 */
export function chapterTrack(
	chapters: readonly TimedChapter[],
	{ trackId, duration, timeScale }: Film,
): { texts: Buffer; trackFor: (textsStart: number) => Buffer } {
	const texts = chapters.map(({ title }) => {
		const bytes = Buffer.from(title).subarray(0, 0xffff);
		const length = Buffer.alloc(2);
		length.writeUInt16BE(bytes.length);
		return Buffer.concat([length, bytes, IS_UTF_8]);
	});
	const starts = chapters.map(({ startSeconds }) => Math.round(startSeconds * TIME_SCALE));
	starts[0] = 0;
	const length = Math.round((duration / timeScale) * TIME_SCALE);
	const end = Math.max(length, starts[starts.length - 1] + 1);
	const lengths = starts.map((start, index) => (starts[index + 1] ?? end) - start);
	const header = words(0, 0, 0, trackId, 0, duration, 0, 0, 0, 0);
	const trackFor = (textsStart: number) =>
		box(
			'trak',
			box('tkhd', header, MATRIX, words(0, 0)),
			box(
				'mdia',
				box('mdhd', words(0, 0, 0, TIME_SCALE, end), UNKNOWN_LANGUAGE),
				box('hdlr', words(0, 0), Buffer.from('text'), words(0, 0, 0), Buffer.alloc(1)),
				box('minf', MEDIA_HEADER, DATA_REFERENCE, sampleTable(texts, lengths, textsStart)),
			),
		);
	return { texts: Buffer.concat(texts), trackFor };
}

const MEDIA_HEADER = box(
	'gmhd',
	box('gmin', words(0, 0x0040_8000, 0x8000_8000, 0)),
	box('text', MATRIX),
);

/** The texts are in the same file. */
const DATA_REFERENCE = box('dinf', box('dref', words(0, 1), box('url ', words(1))));

function sampleTable(texts: readonly Buffer[], lengths: readonly number[], textsStart: number) {
	return box(
		'stbl',
		box('stsd', words(0, 1), TEXT_DESCRIPTION),
		box('stts', words(0, lengths.length, ...lengths.flatMap((length) => [1, length]))),
		box('stsc', words(0, 1, 1, texts.length, 1)),
		box('stsz', words(0, 0, texts.length, ...texts.map(({ length }) => length))),
		box('stco', words(0, 1, textsStart)),
	);
}
