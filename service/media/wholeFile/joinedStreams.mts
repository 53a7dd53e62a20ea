import type { FileBytes } from './fileBytes.mts';
import { ANOTHER, MAX_FILES, type Mending } from './joinedSound.mts';

/** FLV: its name, and flags of what it holds. */
const FLV = Buffer.from('FLV\x01', 'latin1');
const FLV_VIDEO = 1;
/** The size of the tag before each tag. */
const FLV_SIZE_BYTES = 4;
/** Before the first tag: the head, and the size of no tag. */
const FLV_START_BYTES = 9 + FLV_SIZE_BYTES;
const FLV_TAG_HEAD_BYTES = 11;

/** ASF, of which WMA and WMV are kinds: objects with an id and a size, the first of which is the header. */
const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
const ASF_HEAD_BYTES = 24;
/** Files have fewer than ten at this level. */
const MAX_ASF_OBJECTS = 100_000;

/** Matroska and WebM: the header of EBML, with the document's type in it. */
const EBML = Buffer.from('1a45dfa3', 'hex');
const EBML_TYPE = /matroska|webm/;
const EBML_HEAD_BYTES = 64;
/** The codec of a picture, in the list of tracks. */
const MKV_PICTURE = /V_[A-Z]/;
const MKV_TRACKS_BYTES = 65_536;

/**
 * Leaves out what is joined behind an FLV, ASF or Matroska: readers stop there, guess a wrong length, or go back in
 * time. Joined sound alone is read whole, in Matroska that of two files. Undefined for other files, and for one file.
 */
export async function mendingOfStreams(
	bytes: FileBytes,
	signal?: AbortSignal,
): Promise<Mending | undefined> {
	const head = await bytes.read(0, ASF_HEADER.length);
	if (head.subarray(0, FLV.length).equals(FLV)) return await mendingOfFlv(bytes, signal);
	const end = await endOfFirst(bytes, head, signal);
	return end === undefined ? undefined : upTo(end);
}

async function endOfFirst(
	bytes: FileBytes,
	head: Buffer,
	signal?: AbortSignal,
): Promise<number | undefined> {
	if (head.equals(ASF_HEADER)) return await secondAsf(bytes, signal);
	const isMatroska = head.subarray(0, EBML.length).equals(EBML);
	return isMatroska ? await endOfMatroska(bytes, signal) : undefined;
}

const upTo = (end: number): Mending => ({ pieces: [{ from: 0, to: end }], notes: [ANOTHER] });

async function mendingOfFlv(bytes: FileBytes, signal?: AbortSignal): Promise<Mending | undefined> {
	const hasPicture = ((await bytes.read(FLV.length, 1))[0] & FLV_VIDEO) !== 0;
	const pieces: Array<{ from: number; to: number }> = [];
	let from = 0;
	for await (const at of furtherFlvs(bytes, signal)) {
		if (hasPicture || pieces.length === MAX_FILES - 1) return upTo(at);
		pieces.push({ from, to: at });
		// The packets of this one can follow those of the one before.
		from = at + FLV_START_BYTES;
	}
	if (pieces.length === 0) return undefined;
	return { pieces: pieces.concat({ from, to: bytes.sizeBytes }), notes: [] };
}

/** Yields where an FLV begins behind another one. */
async function* furtherFlvs(bytes: FileBytes, signal?: AbortSignal): AsyncGenerator<number> {
	for (let at = FLV_START_BYTES; ; ) {
		signal?.throwIfAborted();
		const head = await bytes.at(at, FLV_TAG_HEAD_BYTES);
		if (head.length < FLV_TAG_HEAD_BYTES) return;
		if (head.subarray(0, FLV.length).equals(FLV)) {
			yield at;
			at += FLV_START_BYTES;
		} else at += FLV_TAG_HEAD_BYTES + head.readUIntBE(1, 3) + FLV_SIZE_BYTES;
	}
}

async function secondAsf(bytes: FileBytes, signal?: AbortSignal): Promise<number | undefined> {
	for (let [at, objects] = [0, 0]; objects < MAX_ASF_OBJECTS; objects += 1) {
		signal?.throwIfAborted();
		const head = await bytes.at(at, ASF_HEAD_BYTES);
		if (head.length < ASF_HEAD_BYTES) return undefined;
		if (at > 0 && head.subarray(0, ASF_HEADER.length).equals(ASF_HEADER)) return at;
		const size = Number(head.readBigUInt64LE(ASF_HEADER.length));
		if (size < ASF_HEAD_BYTES) return undefined;
		at += size;
	}
	return undefined;
}

/** Returns where ffmpeg stops: before the pictures of a second file, which it has seen later ones of, or a third file. */
async function endOfMatroska(bytes: FileBytes, signal?: AbortSignal): Promise<number | undefined> {
	const hasPicture = MKV_PICTURE.test((await bytes.read(0, MKV_TRACKS_BYTES)).toString('latin1'));
	let further = 0;
	const range = { from: EBML.length, to: bytes.sizeBytes };
	for await (const at of bytes.places(EBML, range, signal)) {
		const head = await bytes.at(at, EBML_HEAD_BYTES);
		if (!EBML_TYPE.test(head.toString('latin1'))) continue;
		further += 1;
		if (hasPicture || further === 2) return at;
	}
	return undefined;
}
