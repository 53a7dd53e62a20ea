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
