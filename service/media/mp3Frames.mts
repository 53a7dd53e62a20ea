/** Bit rates of layer III by header index, in kbit/s: MPEG 1, then MPEG 2 and 2.5. */
const BIT_RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BIT_RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Sample rates by header index. MPEG 2 halves them, MPEG 2.5 quarters them. */
const RATES_1_HZ = [44_100, 48_000, 32_000];

const HEADER_BYTES = 4;

/** The lowest sample rate of MPEG 1. */
const MIN_MPEG_1_RATE_HZ = 32_000;

/** Samples per MP3 frame. */
export function mp3FrameSamples(sampleRateHz: number): number {
	return sampleRateHz >= MIN_MPEG_1_RATE_HZ ? 1_152 : 576;
}

/** Offsets of the frames in a buffer. The last offset is that of the first incomplete frame. */
export function mp3FrameStarts(bytes: Uint8Array): number[] {
	const starts = [0];
	for (let start = 0; start + HEADER_BYTES <= bytes.length; ) {
		start += frameBytes(bytes, start);
		if (start > bytes.length) break;
		starts.push(start);
	}
	return starts;
}

/** Size in bytes of the frame at an offset. */
export function frameBytes(bytes: Uint8Array, offset: number): number {
	const [sync, second, third] = bytes.subarray(offset, offset + HEADER_BYTES);
	// Bits 4 and 3: 3 is MPEG 1, 2 is MPEG 2, 0 is MPEG 2.5; bits 2 and 1 are 1 for layer III.
	const version = (second >> 3) & 3;
	const bitRate = (version === 3 ? BIT_RATES_1 : BIT_RATES_2).at(third >> 4);
	const rateHz = RATES_1_HZ.at((third >> 2) & 3);
	const isFrame = sync === 0xff && (second & 0xe6) === 0xe2;
	if (!isFrame || !bitRate || !rateHz) throw new Error('The encoder wrote no MP3 frame');
	const rateDivisor = version === 3 ? 1 : version === 2 ? 2 : 4;
	const slots = version === 3 ? 144 : 72;
	const padding = (third >> 1) & 1;
	return Math.floor((slots * bitRate * 1_000 * rateDivisor) / rateHz) + padding;
}
