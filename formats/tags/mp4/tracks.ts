import { type Box, box, boxAt, boxesIn, bytesOf, typeOf, words } from './boxes';
import type { Film } from './chapterTrack';

/** The boxes on the way from the index to the places of the sound. */
const ON_THE_WAY: ReadonlySet<string> = new Set(['trak', 'mdia', 'minf', 'stbl', 'tref']);

const MAX_OFFSET = 0xffff_ffff;

/** Where a track's header has its language: in boxes of version 0 and 1, from the start of the content. */
const LANGUAGE_OFFSETS = [20, 32];

/** Letters of a language are counted from here, in 5 bits each. */
const BEFORE_A = 0x60;

/** Where the sound begins, by how much it moves, and its language if that is to be set. */
interface Move {
	readonly from: number;
	readonly byBytes: number;
	readonly language?: string;
}

/**
 * Writes into an index where its sound moves to.
 *
 * @param index the content of the box `moov`; it is changed in place
 * @returns whether its numbers are long enough; if not, the index is no longer usable
 */
export function moveSound(index: Buffer, move: Move): boolean {
	return boxesWithin(index, 0, index.length).every((one) => {
		if (one.type === 'stco' || one.type === 'co64') return movePlaces(index, one, move);
		if (one.type === 'mdhd') writeLanguage(index, one, move);
		return true;
	});
}

/** The boxes inside others, at any depth. */
function boxesWithin(bytes: Buffer, start: number, end: number): Box[] {
	return boxesIn(bytes, start, end).flatMap((one) =>
		ON_THE_WAY.has(one.type) ? boxesWithin(bytes, one.bodyStart, one.end) : [one],
	);
}

/** Moves places of 32 or 64 bits. After version and flags, the box has their count. */
function movePlaces(
	index: Buffer,
	{ type, bodyStart, end }: Box,
	{ from, byBytes }: Move,
): boolean {
	const isLong = type === 'co64';
	const bytes = isLong ? 8 : 4;
	for (let at = bodyStart + 8; at + bytes <= end; at += bytes) {
		const place = isLong ? index.readBigUInt64BE(at) : BigInt(index.readUInt32BE(at));
		const moved = place < from ? place : place + BigInt(byBytes);
		if (isLong) index.writeBigUInt64BE(moved, at);
		else if (moved > MAX_OFFSET) return false;
		else index.writeUInt32BE(Number(moved), at);
	}
	return true;
}

function writeLanguage(index: Buffer, { bodyStart }: Box, { language }: Move): void {
	const offset = LANGUAGE_OFFSETS.at(index[bodyStart]);
	if (offset === undefined || language === undefined) return;
	const letters = [...language].map((letter) => letter.charCodeAt(0) - BEFORE_A);
	index.writeUInt16BE((letters[0] << 10) | (letters[1] << 5) | letters[2], bodyStart + offset);
}

/** The length of the movie and the next free ID of a track, from its header; undefined without one. */
export function filmOf(parts: readonly Buffer[]): Film | undefined {
	const header = parts.find((part) => typeOf(part) === 'mvhd');
	if (header === undefined) return undefined;
	const isLong = header[8] === 1;
	return {
		trackId: header.readUInt32BE(header.length - 4),
		timeScale: header.readUInt32BE(isLong ? 28 : 20),
		duration: isLong ? Number(header.readBigUInt64BE(32)) : header.readUInt32BE(24),
	};
}

/**
 * The parts of an index, with a reference from the first track to one of chapters. References to older
 * tracks of chapters become free space.
 */
export function withChapterReference(parts: readonly Buffer[], trackId: number): Buffer[] {
	const reference = box('chap', words(trackId));
	const first = parts.findIndex((part) => typeOf(part) === 'trak');
	return parts.map((part, index) => {
		const own = Buffer.from(part);
		if (typeOf(own) === 'mvhd') own.writeUInt32BE(trackId + 1, own.length - 4);
		for (const { type, start } of boxesWithin(own, 0, own.length)) {
			if (type === 'chap') own.write('free', start + 4, 'latin1');
		}
		return index === first ? withReference(own, reference) : own;
	});
}

/** A track has one box for all its references. */
function withReference(track: Buffer, reference: Buffer): Buffer {
	const boxes = boxesIn(track, boxAt(track, 0)!.bodyStart, track.length);
	const old = boxes.filter(({ type }) => type === 'tref');
	const others = boxes.filter(({ type }) => type !== 'tref');
	const references = old.map(({ bodyStart, end }) => track.subarray(bodyStart, end));
	const all = others.map((one) => bytesOf(track, one));
	return box('trak', ...all, box('tref', ...references, reference));
}
