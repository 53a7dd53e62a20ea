import type { FileBytes, Piece } from './fileBytes.mts';
import { ANOTHER, type Mending } from './joinedSound.mts';

const HEAD_BYTES = 8;
const LONG_HEAD_BYTES = 16;

/** A file that is written in parts has one or two boxes for each second. */
const MAX_BOXES = 1_000_000;
/** Each wrong size costs a search. */
const MAX_PATCHES = 1_000;

/** Boxes that a file consists of. */
const KNOWN = new Set(
	'ftyp moov moof mdat free skip wide uuid styp sidx ssix mfra pnot PICT udta meta emsg prft'.split(
		' ',
	),
);

const TYPE_PATTERN = /^[\w ©-]{4}$/;

/** Boxes that mean nothing, whose bytes may become those of the next box. */
const SPARE = new Set(['free', 'skip', 'wide']);

/** Boxes that are written before anybody knows how long they will be. */
const GROWING = new Set(['mdat', 'moof', 'free', 'skip', 'wide']);

/** Boxes where readers look for samples, each with the id that its first child has. */
const INDEXES = [
	{ id: 'moov', child: /^(mvhd|cmov)$/ },
	{ id: 'moof', child: /^mfhd$/ },
] as const;

/** A box of a file, at a position. */
interface Box {
	readonly at: number;
	readonly type: string;
	readonly isLong: boolean;
	/** Where the next box begins, as this one says; infinite for one without a size. */
	readonly to: number;
}

/** New bytes at a position. */
interface Patch {
	readonly at: number;
	readonly bytes: Buffer;
}

/**
 * Gives the boxes of an MP4 or MOV their true sizes: beyond a wrong one, readers find neither the index nor the next
 * part. Says that another file begins behind the first one: no reader takes it for a part of the recording, and its
 * samples are found only through a table of its own. Undefined for other files.
 */
export async function mendingOfMp4(
	bytes: FileBytes,
	signal?: AbortSignal,
): Promise<Mending | undefined> {
	const patches: Patch[] = [];
	const notes: string[] = [];
	let hasTable = false;
	let last: Box | undefined;
	let spare: Box | undefined;
	for (let [at, boxes] = [0, 0]; at < bytes.sizeBytes && boxes < MAX_BOXES; boxes += 1) {
		signal?.throwIfAborted();
		const box = await boxAt(bytes, at);
		const isBox = box !== undefined && (await isOfFile(bytes, box));
		if (!isBox && last === undefined) return undefined;
		if (box?.type === 'ftyp' && hasTable) {
			notes.push(ANOTHER);
			break;
		}
		hasTable ||= isBox && box.type === 'moov';
		if (isBox && box.to <= bytes.sizeBytes) {
			[spare, last, at] = [last, box, box.to];
			continue;
		}
		const wrong = isBox ? box : last;
		const before = isBox ? last : spare;
		if (wrong === undefined || !GROWING.has(wrong.type) || patches.length === MAX_PATCHES) break;
		const next = await nextIndex(bytes, wrong, hasTable, signal);
		const patch = next === undefined ? undefined : sized(wrong, before, next);
		if (patch === undefined || next === undefined) break;
		patches.push(patch);
		[spare, last, at] = [before, wrong, next];
	}
	return { notes, pieces: patches.length === 0 ? undefined : piecesOf(bytes, patches) };
}

async function boxAt(bytes: FileBytes, at: number): Promise<Box | undefined> {
	const head = await bytes.at(at, LONG_HEAD_BYTES);
	if (head.length < HEAD_BYTES) return undefined;
	const type = head.toString('latin1', 4, 8);
	const short = head.readUInt32BE(0);
	if (short !== 1)
		return { at, type, isLong: false, to: short >= HEAD_BYTES ? at + short : Infinity };
	const long = head.length < LONG_HEAD_BYTES ? 0 : Number(head.readBigUInt64BE(8));
	return { at, type, isLong: true, to: long >= LONG_HEAD_BYTES ? at + long : Infinity };
}

/** Whether a box is one that files have, or an unknown one right before such a one. */
async function isOfFile(bytes: FileBytes, { type, to }: Box): Promise<boolean> {
	if (KNOWN.has(type)) return true;
	if (!TYPE_PATTERN.test(type) || to > bytes.sizeBytes) return false;
	return to === bytes.sizeBytes || KNOWN.has((await boxAt(bytes, to))?.type ?? '');
}

/** Returns where a box with a wrong size really ends: at the next index; undefined if there is none. */
async function nextIndex(
	bytes: FileBytes,
	{ at, type, isLong }: Box,
	hasTable: boolean,
	signal?: AbortSignal,
): Promise<number | undefined> {
	// The index of a part is followed by its samples.
	const wanted = type === 'moof' ? { id: 'mdat', child: undefined } : INDEXES[hasTable ? 1 : 0];
	const id = Buffer.from(wanted.id);
	// The id of a box is behind its size.
	const from = at + (isLong ? LONG_HEAD_BYTES : HEAD_BYTES) + 4;
	for await (const found of bytes.places(id, { from, to: bytes.sizeBytes }, signal)) {
		const box = await boxAt(bytes, found - 4);
		const child = (await bytes.at(found + HEAD_BYTES, 4)).toString('latin1');
		if (box && (wanted.child === undefined || wanted.child.test(child))) return box.at;
	}
	return undefined;
}

/** Returns the bytes that make a box end at a position; undefined if there is no room for them. */
function sized(box: Box, before: Box | undefined, to: number): Patch | undefined {
	const size = to - box.at;
	const bytes = Buffer.alloc(box.isLong ? 8 : 4);
	if (box.isLong) {
		bytes.writeBigUInt64BE(BigInt(size));
		return { at: box.at + HEAD_BYTES, bytes };
	}
	if (size < 2 ** 32) {
		bytes.writeUInt32BE(size);
		return { at: box.at, bytes };
	}
	// Programs leave eight bytes before the samples for this.
	const at = box.at - HEAD_BYTES;
	if (before === undefined || !SPARE.has(before.type) || before.at !== at) return undefined;
	const head = Buffer.alloc(LONG_HEAD_BYTES);
	head.writeUInt32BE(1);
	head.write(box.type, 4, 'latin1');
	head.writeBigUInt64BE(BigInt(to - at), HEAD_BYTES);
	return { at, bytes: head };
}

function piecesOf({ sizeBytes }: FileBytes, patches: readonly Patch[]): Piece[] {
	const pieces: Piece[] = [];
	let from = 0;
	for (const { at, bytes } of patches) {
		if (at < from) continue;
		pieces.push({ from, to: at }, bytes);
		from = at + bytes.length;
	}
	return [...pieces, { from, to: sizeBytes }];
}
