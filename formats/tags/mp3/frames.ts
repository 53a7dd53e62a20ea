import { TAG_HEADER_BYTES, id3TagBytes } from '../id3/readTag';

/** The header of a frame of MPEG audio, layer III (ISO/IEC 11172-3 and 13818-3). */
export interface Mp3Header {
	/** The whole frame, with its header. */
	readonly frameBytes: number;
	/** Length of the header, the checksum if there is one, and the side information. */
	readonly beforeMainBytes: number;
	readonly samples: number;
	readonly sampleRateHz: number;
	readonly bitRateKbps: number;
	/** How many bytes before the frame's main data its sound begins: the bit reservoir. */
	readonly reservoirBytes: number;
}

export const MP3_HEADER_BYTES = 4;
const CHECKSUM_BYTES = 2;

/** Bit rates by header index, in kbit/s: MPEG 1, then MPEG 2 and 2.5. */
const BIT_RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BIT_RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Sample rates by header index. MPEG 2 halves them, MPEG 2.5 quarters them. */
const RATES_HZ = [44_100, 48_000, 32_000];

/** The highest index of a bit rate. */
export const BIT_RATES = BIT_RATES_1.length - 1;

const MPEG_1 = 3;
const MPEG_2 = 2;
const MPEG_RESERVED = 1;
const MONO = 3;

/**
 * Reads the header of the frame at an offset.
 *
 * @returns undefined if there is no frame, or one with a free bit rate, whose length the header does not give
 */
export function mp3Header(bytes: Buffer, offset: number): Mp3Header | undefined {
	const [sync, second, third, fourth, ...more] = bytes.subarray(offset, offset + 8);
	const version = (second >> 3) & 3;
	const isLayer3 = sync === 0xff && (second & 0xe6) === 0xe2 && version !== MPEG_RESERVED;
	if (!isLayer3 || fourth === undefined) return undefined;
	const isMpeg1 = version === MPEG_1;
	const bitRateKbps = (isMpeg1 ? BIT_RATES_1 : BIT_RATES_2).at(third >> 4) ?? 0;
	const rateHz = RATES_HZ.at((third >> 2) & 3);
	// Index 15 of the bit rates is not allowed; `at` has no entry for it.
	if (bitRateKbps === 0 || rateHz === undefined) return undefined;
	const sampleRateHz = rateHz / (isMpeg1 ? 1 : version === MPEG_2 ? 2 : 4);
	const samples = isMpeg1 ? 1_152 : 576;
	const isMono = fourth >> 6 === MONO;
	const checksumBytes = (second & 1) === 0 ? CHECKSUM_BYTES : 0;
	const [first = 0, next = 0] = more.slice(checksumBytes);
	return {
		frameBytes: Math.floor((samples * bitRateKbps * 125) / sampleRateHz) + ((third >> 1) & 1),
		beforeMainBytes: MP3_HEADER_BYTES + checksumBytes + sideBytes(isMpeg1, isMono),
		samples,
		sampleRateHz,
		bitRateKbps,
		// The first 9 bits of the side information in MPEG 1, the first 8 in MPEG 2.
		reservoirBytes: isMpeg1 ? (first << 1) | (next >> 7) : first,
	};
}

function sideBytes(isMpeg1: boolean, isMono: boolean): number {
	if (isMpeg1) return isMono ? 17 : 32;
	return isMono ? 9 : 17;
}

/** Whether the frame at an offset may follow another one in a file: version, layer and sample rate agree. */
export function isSameStream(bytes: Buffer, offset: number, other: Mp3Header): boolean {
	const header = mp3Header(bytes, offset);
	return header?.sampleRateHz === other.sampleRateHz && header.samples === other.samples;
}

/**
 * A silent frame of the same kind as another.
 *
 * @param like a frame with the version, sample rate and channels to use
 * @param dataBytes how many bytes there must be for data after the side information
 * @returns the frame, and where its data begins
 */
export function silentFrame(like: Buffer, dataBytes: number): { frame: Buffer; dataStart: number } {
	const header = Buffer.from(like.subarray(0, MP3_HEADER_BYTES));
	// Without a checksum and padding.
	header[1] |= 1;
	for (let index = 1; index <= BIT_RATES; index++) {
		header[2] = (index << 4) | (header[2] & 0x0c);
		const made = mp3Header(header, 0);
		if (made && made.frameBytes - made.beforeMainBytes >= dataBytes) {
			const frame = Buffer.alloc(made.frameBytes);
			header.copy(frame);
			return { frame, dataStart: made.beforeMainBytes };
		}
	}
	throw new RangeError(`No MP3 frame holds ${dataBytes} bytes of data`);
}

/** A frame of a file that comes in chunks. */
export interface Mp3Frame {
	/** Its bytes, valid until the next frame is asked for. */
	readonly bytes: Buffer;
	readonly header: Mp3Header;
}

/** In other files, some bytes look like a frame by chance; in MP3 files, the first one is near the start. */
const MAX_SEARCHED_BYTES = 4_096;

/** Finds the frames of an MP3 file that comes in chunks. Keeps at most one frame of it. */
export class Mp3FrameReader {
	/** What remains of the last chunk: the beginning of a frame, or of a tag. */
	private rest: Buffer = Buffer.alloc(0);

	/** How many bytes of a tag at the start of the file are still to come. */
	private tagBytesLeft = 0;

	private isPastTags = false;

	/** The first frame: all others agree with it. */
	private first?: Mp3Header;

	/** How many bytes before the first frame belong to none. */
	private searchedBytes = 0;

	/** Whether the next frame is expected right where the last one ended. */
	private isLocked = false;

	/** Whether it has given up: what it was shown is no MP3 file. */
	get hasGivenUp(): boolean {
		return this.searchedBytes > MAX_SEARCHED_BYTES;
	}

	/** The frames that a chunk completes. All of them must be taken. */
	*push(chunk: Buffer): Generator<Mp3Frame, void> {
		if (this.hasGivenUp) return;
		const bytes = this.skipTags(this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk);
		const end = this.isPastTags ? yield* this.readFrames(bytes) : 0;
		// A copy, so that the chunk's memory becomes free.
		this.rest = Buffer.from(bytes.subarray(end));
	}

	/** What follows the tags at the start of the file, as far as it is there. */
	private skipTags(bytes: Buffer): Buffer {
		let left = bytes;
		while (!this.isPastTags) {
			const skippedBytes = Math.min(this.tagBytesLeft, left.length);
			left = left.subarray(skippedBytes);
			this.tagBytesLeft -= skippedBytes;
			if (left.length < TAG_HEADER_BYTES) return left;
			this.tagBytesLeft = id3TagBytes(left);
			this.isPastTags = this.tagBytesLeft === 0;
		}
		return left;
	}

	/** Reads the whole frames of some bytes. Returns where the first incomplete one begins. */
	private *readFrames(bytes: Buffer): Generator<Mp3Frame, number> {
		let offset = 0;
		while (offset + 2 * MP3_HEADER_BYTES <= bytes.length) {
			const header = mp3Header(bytes, offset);
			const end = offset + (header?.frameBytes ?? 0);
			if (header && isSameStream(bytes, offset, this.first ?? header)) {
				const neededEnd = this.isLocked ? end : end + MP3_HEADER_BYTES;
				if (neededEnd > bytes.length) return offset;
				this.isLocked ||= isSameStream(bytes, end, header);
			} else {
				this.isLocked = false;
			}
			if (header && this.isLocked) {
				this.first ??= header;
				yield { bytes: bytes.subarray(offset, end), header };
			}
			offset = this.isLocked ? end : this.lost(bytes, offset);
		}
		return offset;
	}

	/** Where the next frame may begin, after bytes that are no frame. */
	private lost(bytes: Buffer, offset: number): number {
		this.isLocked = false;
		const found = bytes.indexOf(0xff, offset + 1);
		const next = found === -1 ? bytes.length : found;
		if (this.first === undefined) this.searchedBytes += next - offset;
		return this.hasGivenUp ? bytes.length : next;
	}
}
