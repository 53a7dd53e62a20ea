import type { FileBytes, Piece } from './fileBytes.mts';
import { MAX_FILES, type Mending } from './joinedSound.mts';

/** The beginning of a file: its name, and the head of the block that describes the stream. */
const BEGINNING = Buffer.from('fLaC\0\0\0\x22', 'latin1');
const BLOCK_HEAD_BYTES = 4;
const LAST_BLOCK = 0x80;

/** The description of the stream: the number of samples and a sum are its end. */
const SAMPLES_AT = 21;
const SAMPLES_BYTES = 5;
const SUM_BYTES = 16;

/** A file has a description, tags, pictures and so on. */
const MAX_BLOCKS = 1_000;

/** Leaves out the heads between joined files, at which ffmpeg loses sound; undefined for one file. */
export async function mendingOfFlac(
	bytes: FileBytes,
	signal?: AbortSignal,
): Promise<Mending | undefined> {
	if (!(await bytes.at(0, BEGINNING.length)).equals(BEGINNING)) return undefined;
	const starts = [0];
	for await (const next of bytes.places(BEGINNING, { from: 1, to: bytes.sizeBytes }, signal)) {
		if (starts.length === MAX_FILES) break;
		starts.push(next);
	}
	if (starts.length === 1) return undefined;
	const head = await bytes.read(0, SAMPLES_AT + SAMPLES_BYTES + SUM_BYTES);
	// Their number and sum are those of the first file alone: unknown, then.
	head[SAMPLES_AT] &= 0xf0;
	head.fill(0, SAMPLES_AT + 1);
	const pieces: Piece[] = [head];
	for (const [index, from] of starts.entries()) {
		const start = index === 0 ? head.length : await framesAt(bytes, from);
		pieces.push({ from: start, to: starts[index + 1] ?? bytes.sizeBytes });
	}
	return { pieces, notes: [] };
}

/** Returns where the frames of a file begin. */
async function framesAt(bytes: FileBytes, fileAt: number): Promise<number> {
	let at = fileAt + 4;
	for (let block = 0; block < MAX_BLOCKS; block++) {
		const head = await bytes.at(at, BLOCK_HEAD_BYTES);
		if (head.length < BLOCK_HEAD_BYTES) return bytes.sizeBytes;
		at += BLOCK_HEAD_BYTES + head.readUIntBE(1, 3);
		if ((head[0] & LAST_BLOCK) !== 0) return at;
	}
	return at;
}
