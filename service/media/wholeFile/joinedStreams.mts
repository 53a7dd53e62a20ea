import type { FileBytes } from './fileBytes.mts';
import { ANOTHER, type Mending } from './joinedSound.mts';

/** A second file behind the first: where it begins, and where its packets do if they can follow those of the first. */
interface Second {
	readonly at: number;
	readonly packetsAt?: number;
}

/** FLV: its name, flags of what it holds, and the size of its head. */
const FLV = Buffer.from('FLV\x01', 'latin1');
const FLV_HEAD_BYTES = 9;
const FLV_VIDEO = 1;
/** The size of the tag before each tag. */
const FLV_SIZE_BYTES = 4;
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
 * time. Joined sound alone is read whole. Undefined for other files, and for one file.
 */
export async function mendingOfStreams(
	bytes: FileBytes,
	signal?: AbortSignal,
): Promise<Mending | undefined> {
	const second = await secondIn(bytes, signal);
	if (second === undefined) return undefined;
	const { at, packetsAt } = second;
	const first = { from: 0, to: at };
	if (packetsAt === undefined) return { pieces: [first], notes: [ANOTHER] };
	return { pieces: [first, { from: packetsAt, to: bytes.sizeBytes }], notes: [] };
}

async function secondIn(bytes: FileBytes, signal?: AbortSignal): Promise<Second | undefined> {
	const head = await bytes.read(0, ASF_HEADER.length);
	if (head.subarray(0, FLV.length).equals(FLV)) return await secondFlv(bytes, signal);
	if (head.equals(ASF_HEADER)) return await secondAsf(bytes, signal);
	if (head.subarray(0, EBML.length).equals(EBML)) return await secondMatroska(bytes, signal);
	return undefined;
}

async function secondFlv(bytes: FileBytes, signal?: AbortSignal): Promise<Second | undefined> {
	const isPicture = ((await bytes.read(FLV.length, 1))[0] & FLV_VIDEO) !== 0;
	for (let at = FLV_HEAD_BYTES + FLV_SIZE_BYTES; ; ) {
		signal?.throwIfAborted();
		const head = await bytes.at(at, FLV_TAG_HEAD_BYTES);
		if (head.length < FLV_TAG_HEAD_BYTES) return undefined;
		if (head.subarray(0, FLV.length).equals(FLV)) {
			return isPicture ? { at } : { at, packetsAt: at + FLV_HEAD_BYTES + FLV_SIZE_BYTES };
		}
		at += FLV_TAG_HEAD_BYTES + head.readUIntBE(1, 3) + FLV_SIZE_BYTES;
	}
}

async function secondAsf(bytes: FileBytes, signal?: AbortSignal): Promise<Second | undefined> {
	for (let [at, objects] = [0, 0]; objects < MAX_ASF_OBJECTS; objects += 1) {
		signal?.throwIfAborted();
		const head = await bytes.at(at, ASF_HEAD_BYTES);
		if (head.length < ASF_HEAD_BYTES) return undefined;
		if (at > 0 && head.subarray(0, ASF_HEADER.length).equals(ASF_HEADER)) return { at };
		const size = Number(head.readBigUInt64LE(ASF_HEADER.length));
		if (size < ASF_HEAD_BYTES) return undefined;
		at += size;
	}
	return undefined;
}

async function secondMatroska(bytes: FileBytes, signal?: AbortSignal): Promise<Second | undefined> {
	// A reader goes on with sound, but not with pictures that are shown before those that it has.
	if (!MKV_PICTURE.test((await bytes.read(0, MKV_TRACKS_BYTES)).toString('latin1')))
		return undefined;
	const range = { from: EBML.length, to: bytes.sizeBytes };
	for await (const at of bytes.places(EBML, range, signal)) {
		const head = await bytes.at(at, EBML_HEAD_BYTES);
		if (EBML_TYPE.test(head.toString('latin1'))) return { at };
	}
	return undefined;
}
