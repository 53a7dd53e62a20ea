import { FRAME_ID, type Id3Frame, type ReadTag, framesIn } from './frames';
import { convertOlderFrames } from './olderFrames';

export const TAG_HEADER_BYTES = 10;
const FRAME_HEADER_BYTES = 10;

/** The version is never 255, and the size has 7 bits in each byte. */
const TAG_HEADER = /^ID3[^\xff][^]{2}[^\x80-\xff]{4}$/;

const FLAG_UNSYNCHRONIZED = 0x80;
const FLAG_EXTENDED_HEADER = 0x40;
const FLAG_FOOTER = 0x10;

/** Flag of a frame of version 2.4. */
const FRAME_UNSYNCHRONIZED = 0x02;

/**
 * The length of the ID3v2 tag at an offset, with its header and footer. 0 if there is none.
 *
 * @param bytes at least 10 bytes from the offset on
 */
export function id3TagBytes(bytes: Buffer, offset = 0): number {
	const header = bytes.subarray(offset, offset + TAG_HEADER_BYTES);
	if (!TAG_HEADER.test(header.toString('latin1'))) return 0;
	const footerBytes = header[3] >= 4 && (header[5] & FLAG_FOOTER) !== 0 ? TAG_HEADER_BYTES : 0;
	return TAG_HEADER_BYTES + fromSyncSafe(header, 6) + footerBytes;
}

/**
 * Reads a tag of version 2.2, 2.3 or 2.4.
 *
 * @param tag the whole tag
 * @returns undefined for a version that this does not know
 */
export function readId3Frames(tag: Buffer): ReadTag | undefined {
	const [version, , flags] = tag.subarray(3, 6);
	if (version < 2 || version > 4) return undefined;
	const isUnsynchronized = (flags & FLAG_UNSYNCHRONIZED) !== 0;
	const size = TAG_HEADER_BYTES + fromSyncSafe(tag, 6);
	const stored = tag.subarray(TAG_HEADER_BYTES, size);
	if (version === 4) {
		const body = stored.subarray(extendedHeaderBytes(stored, flags, true));
		const layout = { nameBytes: 4, headerBytes: FRAME_HEADER_BYTES, sizeOf: frameSizeOf4 };
		const frames = framesIn(body, layout);
		return { frames: frames.map((one) => synchronised(one, isUnsynchronized)), lost: 0 };
	}
	// In version 2.2, this flag means a compression that was never defined.
	if (version === 2 && (flags & FLAG_EXTENDED_HEADER) !== 0) return undefined;
	const body = isUnsynchronized ? withoutUnsynchronisation(stored) : stored;
	const start = version === 3 ? extendedHeaderBytes(body, flags, false) : 0;
	return convertOlderFrames(body.subarray(start), version);
}

/** Only in version 2.4 does the size of the extended header include the size itself. */
function extendedHeaderBytes(body: Buffer, flags: number, isVersion4: boolean): number {
	if ((flags & FLAG_EXTENDED_HEADER) === 0 || body.length < 4) return 0;
	return isVersion4 ? fromSyncSafe(body, 0) : 4 + body.readUInt32BE(0);
}

/** The size of a frame's body. Older iTunes wrote plain numbers, which show when no frame follows. */
function frameSizeOf4(body: Buffer, start: number): number {
	const size = fromSyncSafe(body, start + 4);
	const plainSize = body.readUInt32BE(start + 4);
	const isFollowed = (length: number) => {
		const next = body.subarray(start + FRAME_HEADER_BYTES + length).subarray(0, 4);
		return next.length < 4 || next[0] === 0 || FRAME_ID.test(next.toString('latin1'));
	};
	const isPlain = !isFollowed(size) && isFollowed(plainSize);
	return isPlain && start + FRAME_HEADER_BYTES + plainSize <= body.length ? plainSize : size;
}

function synchronised({ id, flags, body }: Id3Frame, isWholeTag: boolean): Id3Frame {
	if (!isWholeTag && (flags & FRAME_UNSYNCHRONIZED) === 0) return { id, flags, body };
	return { id, flags: flags & ~FRAME_UNSYNCHRONIZED, body: withoutUnsynchronisation(body) };
}

/** Takes out the zero that follows each 0xFF, so that old players find no sound in a tag. */
function withoutUnsynchronisation(bytes: Buffer): Buffer {
	return Buffer.from(bytes.toString('latin1').replaceAll('\xff\0', '\xff'), 'latin1');
}

/** A number of 28 bits, of which each byte has 7. */
export function fromSyncSafe(bytes: Buffer, offset: number): number {
	const [first, second, third, fourth] = bytes.subarray(offset, offset + 4);
	return (first << 21) | (second << 14) | (third << 7) | fourth;
}
