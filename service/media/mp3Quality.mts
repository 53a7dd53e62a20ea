import { firstFrameOf } from './mp3Tags.mts';
import { FileBytes } from './wholeFile/fileBytes.mts';

/** How well an MP3 with a variable bit rate was encoded: LAME's level, from 0, the best, to 9; null if it does not say. */
export type VbrLevel = number | null;

const WORST_LEVEL = 9;

/** More than the first frame, which has no sound, but says how the others were made. */
const HEAD_BYTES = 8_192;

/** Where the parts of a Xing header are that its flags announce, counted from its name. */
const FLAGS_AT = 4;
const PARTS_AT = 8;
const PARTS = [
	{ flag: 1, bytes: 4 },
	{ flag: 2, bytes: 4 },
	{ flag: 4, bytes: 100 },
];
const QUALITY_FLAG = 8;

/**
 * Returns the level at which an MP3 with a variable bit rate was encoded; undefined for one with a constant
 * bit rate, or without a header that says so (`Xing` by LAME and others, `VBRI` by Fraunhofer).
 */
export async function vbrLevelOf(path: string): Promise<VbrLevel | undefined> {
	await using bytes = await FileBytes.open(path);
	const first = await firstFrameOf(bytes);
	if (first === undefined) return undefined;
	const head = await bytes.read(first, HEAD_BYTES);
	const xing = head.indexOf('Xing', 0, 'latin1');
	if (xing >= 0) return levelIn(head.subarray(xing));
	return head.includes('VBRI', 0, 'latin1') ? null : undefined;
}

/** LAME writes 100 − 10 × level − the effort; ffmpeg writes 0, which says nothing. */
function levelIn(xing: Buffer): VbrLevel {
	if (xing.length < PARTS_AT) return null;
	const flags = xing.readUInt32BE(FLAGS_AT);
	const parts = PARTS.filter(({ flag }) => (flags & flag) !== 0);
	const at = parts.reduce((sum, { bytes }) => sum + bytes, PARTS_AT);
	if ((flags & QUALITY_FLAG) === 0 || at + 4 > xing.length) return null;
	const quality = xing.readUInt32BE(at);
	if (quality === 0 || quality > 100) return null;
	return Math.min(WORST_LEVEL, Math.floor((100 - quality) / 10));
}
