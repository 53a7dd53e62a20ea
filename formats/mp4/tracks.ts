import type { TagRequest } from '../episodeTags';
import { type Box, boxesIn } from './boxes';

/** An index whose numbers are too short for where the sound would be. */
export class OffsetOverflow extends RangeError {}

/** The boxes on the way from the index to the places of the sound. */
const ON_THE_WAY: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'tref']);

const OFFSET_MAXIMUM = 0xffff_ffff;

/** Where a track's header has its language: in boxes of version 0 and 1, from the start of the content. */
const LANGUAGE_OFFSETS = [20, 32];

/** Letters of a language are counted from here, in 5 bits each. */
const BEFORE_A = 0x60;

/**
 * The index of a file whose sound moves. The language of the tracks is set on the way.
 *
 * @param moov the whole box; it is changed in place
 * @param from the place in the file from which on everything moves
 * @throws OffsetOverflow if a number in the index is too short
 */
export function withMovedSound(
	moov: Buffer,
	from: number,
	byBytes: number,
	{ tags, existing }: TagRequest,
): Buffer {
	const { language } = existing === 'remove' ? {} : tags;
	for (const one of boxesWithin(moov, 0, moov.length)) {
		if (one.type === 'stco') moveShort(moov, one, from, byBytes);
		else if (one.type === 'co64') moveLong(moov, one, from, byBytes);
		else if (one.type === 'mdhd' && language) writeLanguage(moov, one, language);
	}
	return moov;
}

/** The index without references to tracks with chapters, which would stand beside the new ones. */
export function withoutOldChapters(moov: Buffer): Buffer {
	for (const { type, start } of boxesWithin(moov, 0, moov.length)) {
		if (type === 'chap') moov.write('free', start + 4, 'latin1');
	}
	return moov;
}

/** The boxes inside others, at any depth. */
function boxesWithin(bytes: Buffer, start: number, end: number): Box[] {
	return boxesIn(bytes, start, end).flatMap((one) =>
		ON_THE_WAY.has(one.type) ? boxesWithin(bytes, one.bodyStart, one.end) : [one],
	);
}

/** Moves places of 32 bits. After version and flags, the box has their count. */
function moveShort(moov: Buffer, { bodyStart, end }: Box, from: number, byBytes: number): void {
	for (let at = bodyStart + 8; at + 4 <= end; at += 4) {
		const place = moov.readUInt32BE(at);
		if (place < from) continue;
		if (place + byBytes > OFFSET_MAXIMUM) throw new OffsetOverflow();
		moov.writeUInt32BE(place + byBytes, at);
	}
}

function moveLong(moov: Buffer, { bodyStart, end }: Box, from: number, byBytes: number): void {
	for (let at = bodyStart + 8; at + 8 <= end; at += 8) {
		const place = moov.readBigUInt64BE(at);
		if (place >= from) moov.writeBigUInt64BE(place + BigInt(byBytes), at);
	}
}

function writeLanguage(moov: Buffer, { bodyStart }: Box, language: string): void {
	const offset = LANGUAGE_OFFSETS.at(moov[bodyStart]);
	if (offset === undefined) return;
	const letters = [...language].map((letter) => letter.charCodeAt(0) - BEFORE_A);
	moov.writeUInt16BE((letters[0] << 10) | (letters[1] << 5) | letters[2], bodyStart + offset);
}
