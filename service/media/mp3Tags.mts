import { FileBytes } from './wholeFile/fileBytes.mts';
import { frameBytes } from './mp3Frames.mts';

const FRAME_HEAD_BYTES = 4;

/** ID3v1 and its extension, and the end of Lyrics3, which is as long as it says in six digits. */
const ID3V1_BYTES = 128;
const ID3V1_PLUS_BYTES = 227;
const MAX_LYRICS_BYTES = 1_048_576;
const APE_HEAD_BYTES = 32;

/** Tags of one file in one place. */
const MAX_TAGS = 16;

/** Whether an MP3 consists of whole frames and tags, wherever they are, and an end that is cut. */
export async function mp3HoldsOnlyTags(path: string): Promise<boolean> {
	await using bytes = await FileBytes.open(path);
	let tags = 0;
	for (let at = 0; at < bytes.sizeBytes; ) {
		const frame = await frameAt(bytes, at);
		tags = frame > 0 ? 0 : tags + 1;
		const skipped = frame > 0 ? frame : await tagBytes(bytes, at);
		if (skipped === 0 || tags > MAX_TAGS) {
			// Some programs fill up the last block of a file.
			return await bytes.areZero({ from: at, to: bytes.sizeBytes });
		}
		at += skipped;
	}
	return true;
}

/** Returns the place of the first frame, after the tags; undefined if other things are there. */
export async function firstFrameOf(bytes: FileBytes): Promise<number | undefined> {
	let at = 0;
	for (let tags = 0; tags <= MAX_TAGS; tags++) {
		if ((await frameAt(bytes, at)) > 0) return at;
		const skipped = await tagBytes(bytes, at);
		if (skipped === 0) return undefined;
		at += skipped;
	}
	return undefined;
}

/** The size of the frame at a position; 0 if there is none. */
async function frameAt(bytes: FileBytes, at: number): Promise<number> {
	const head = await bytes.at(at, FRAME_HEAD_BYTES);
	if (head.length < FRAME_HEAD_BYTES || head[0] !== 0xff) return 0;
	try {
		return frameBytes(head, 0);
	} catch {
		return 0;
	}
}

/** The size of the tag at a position; 0 if there is none. */
async function tagBytes(bytes: FileBytes, at: number): Promise<number> {
	const head = await bytes.at(at, APE_HEAD_BYTES);
	const name = head.toString('latin1', 0, 11);
	if (name.startsWith('TAG+')) return ID3V1_PLUS_BYTES;
	if (name.startsWith('TAG')) return ID3V1_BYTES;
	if (name.startsWith('ID3') && head.length >= 10) return 10 + sevenBits(head.subarray(6, 10));
	if (name.startsWith('APETAGEX') && head.length >= 16) {
		return APE_HEAD_BYTES + (isApeHead(head) ? head.readUInt32LE(12) : 0);
	}
	if (name === 'LYRICSBEGIN') {
		const range = { from: at, to: Math.min(bytes.sizeBytes, at + MAX_LYRICS_BYTES) };
		const end = await bytes.find(Buffer.from('LYRICS200'), range);
		return end === undefined ? 0 : end + 9 - at;
	}
	return 0;
}

/** The flag of a head; at its end an APE tag has another, which is all there is to skip. */
function isApeHead(head: Buffer): boolean {
	return head.length >= 24 && (head.readUInt32LE(20) & 0x2000_0000) !== 0;
}

/** A number as ID3 writes it. */
export function sevenBits(bytes: Uint8Array): number {
	return bytes.reduce((sum, byte) => sum * 128 + (byte & 127), 0);
}
