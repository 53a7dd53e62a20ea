import { fromSyncSafe } from './readTag';

/** How much of the end of a file is searched for tags. */
export const END_BYTES = 1_024 * 1_024;

/** No program writes more tags than this. */
const MAX_TAGS = 16;

/** The tags at the end of an MP3 file. */
export interface EndTags {
	readonly sizeBytes: number;
	/** Whether another tag in front of them begins before the bytes that are there. */
	readonly isCut: boolean;
}

/**
 * Finds the tags at the end of an MP3 file: ID3v1, APE, Lyrics3 and ID3v2, in any order.
 *
 * @param end the last megabyte of the file, or all of a shorter one
 */
export function endTags(end: Buffer): EndTags {
	let rest = end;
	let isCut = false;
	for (let count = 0; count < MAX_TAGS && !isCut; count++) {
		const tagBytes = tagBytesOf(rest);
		isCut = tagBytes > rest.length;
		if (!isCut) rest = rest.subarray(0, rest.length - tagBytes);
	}
	return { sizeBytes: end.length - rest.length, isCut };
}

/** The length of a tag with a text at a place, counted from its end. It may be longer than the bytes. */
type Kind = readonly [
	text: string,
	place: number,
	lengthOf: (bytes: Buffer, end: number) => number,
];

const KINDS: readonly Kind[] = [
	['TAG', 128, () => 128],
	// The longer titles that some programs write before ID3v1.
	['TAG+', 227, () => 227],
	['APETAGEX', 32, apeBytes],
	// The size is 6 digits before the text, and does not count them.
	['LYRICS200', 9, (bytes, end) => Number(bytes.toString('latin1', end - 15, end - 9)) + 15],
	['LYRICSEND', 9, (bytes) => bytes.length - bytes.lastIndexOf('LYRICSBEGIN', -9, 'latin1')],
	['3DI', 10, (bytes, end) => fromSyncSafe(bytes, end - 4) + 20],
];

/** The length of the tag that ends here; 0 if there is none. */
function tagBytesOf(bytes: Buffer): number {
	const end = bytes.length;
	const found = KINDS.find(([text, place]) => {
		const start = end - place;
		return start >= 0 && bytes.toString('latin1', start, start + text.length) === text;
	});
	const length = found?.[2](bytes, end) ?? 0;
	return Number.isSafeInteger(length) ? length : 0;
}

function apeBytes(bytes: Buffer, end: number): number {
	const footer = bytes.subarray(end - 32);
	// The size has no header in it; the highest flag says whether there is one.
	const headerBytes = footer.readUInt32LE(20) >>> 31 === 1 ? 32 : 0;
	return Math.max(footer.readUInt32LE(12), 32) + headerBytes;
}
