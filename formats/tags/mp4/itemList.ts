import type { EpisodeTags } from '../episodeTags';
import { type Box, boxesIn, box, bytesOf, typeOf, words } from './boxes';

/** Types of values in the list that iTunes made the standard of tags in MP4 files. */
const BINARY = 0;
const UTF_8 = 1;
const JPEG = 13;
const PNG = 14;
const NUMBER = 21;

/** Version and flags of a box. */
const FULL_HEADER_BYTES = 4;

/** The length of a box without content. */
const EMPTY_BYTES = 8;

/** Says that the list is one of iTunes. */
const HANDLER = box('hdlr', words(0, 0), Buffer.from('mdirappl', 'latin1'), Buffer.alloc(9));

/** The items of the fields that are set. The language has no item: it belongs to the sound's track. */
export function itemsOf(tags: EpisodeTags): Buffer[] {
	const { episodeNumber, season, cover } = tags;
	return [
		...textItem('\xa9nam', tags.title),
		...textItem('\xa9ART', tags.author),
		...textItem('\xa9alb', tags.show),
		...textItem('\xa9day', tags.date),
		...textItem('desc', tags.description),
		...textItem('ldes', tags.description),
		...textItem('\xa9cmt', tags.description),
		...numberItems('trkn', 'tves', episodeNumber),
		...numberItems('disk', 'tvsn', season),
		...(cover ? [item('covr', cover.mimeType === 'image/png' ? PNG : JPEG, cover.bytes)] : []),
	];
}

/** Readers in C end a text at NUL, so it must have none. */
function textItem(key: string, text: string | undefined): Buffer[] {
	return text ? [item(key, UTF_8, Buffer.from(text.replaceAll('\0', '')))] : [];
}

/** What fits into the 16 bits of `number of all`, and into the 32 of a number alone; ffmpeg reads both with a sign. */
const MAX_OF_ALL = 0x7fff;
const MAX_ALONE = 0x7fff_ffff;

/**
 * A number as `number of all`, which is not known here, and alone. A number that does not fit is left out:
 * cut to its last bits, it would be another one. An empty item takes the place of an old one.
 */
function numberItems(ofAllKey: string, aloneKey: string, number: number | undefined): Buffer[] {
	if (number === undefined) return [];
	return [
		number <= MAX_OF_ALL ? item(ofAllKey, BINARY, words(number, 0)) : box(ofAllKey),
		number <= MAX_ALONE ? item(aloneKey, NUMBER, words(number)) : box(aloneKey),
	];
}

function item(key: string, type: number, value: Buffer): Buffer {
	return box(key, box('data', words(type, 0), value));
}

/** The box `meta` with these items, and those of the old one whose keys they lack. */
export function itemList(items: readonly Buffer[], old: readonly Buffer[]): Buffer[] {
	const keys = new Set(items.map(typeOf));
	const written = items.filter((one) => one.length > EMPTY_BYTES);
	const all = [...written, ...old.filter((one) => !keys.has(typeOf(one)))];
	return all.length > 0 ? [box('meta', words(0), HANDLER, box('ilst', ...all))] : [];
}

/** The items in a box `meta`. */
export function readItems(bytes: Buffer, meta: Box): Buffer[] {
	const inside = boxesIn(bytes, meta.bodyStart + FULL_HEADER_BYTES, meta.end);
	const list = inside.find(({ type }) => type === 'ilst');
	return list ? boxesIn(bytes, list.bodyStart, list.end).map((one) => bytesOf(bytes, one)) : [];
}
