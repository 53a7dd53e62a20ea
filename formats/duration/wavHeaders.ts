import type { HeaderReading } from './headerWalk';

/** `RIFF` or `RF64`, the size, and `WAVE`. */
const FILE_HEADER_BYTES = 12;

const CHUNK_HEADER_BYTES = 8;

/** From the start of the chunk `fmt `: the bytes of sound in a second. */
const RATE_OFFSET = 16;

/** A writer that cannot go back to the header leaves one of these sizes there, and so does RF64. */
const UNKNOWN_SIZES: readonly number[] = [0, 0xffff_ffff];

/** More chunks before the sound are none that a program writes. */
const MAX_CHUNKS = 1_000;

/** Whether a file begins like a WAV file. */
export function isWav(start: Buffer): boolean {
	return /^(RIFF|RF64)[^]{4}WAVE/.test(start.toString('latin1', 0, FILE_HEADER_BYTES));
}

/** Reads the length of a WAV file. */
export function* wavHeaders(): HeaderReading {
	let at = FILE_HEADER_BYTES;
	let bytesPerSecond = 0;
	for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
		const header = yield { at, bytes: CHUNK_HEADER_BYTES };
		const name = header.toString('latin1', 0, 4);
		const sizeBytes = header.readUInt32LE(4);
		const bodyStart = at + CHUNK_HEADER_BYTES;
		if (name === 'data') {
			const statedBytes = UNKNOWN_SIZES.includes(sizeBytes) ? Infinity : sizeBytes;
			return (fileBytes) => Math.min(statedBytes, fileBytes - bodyStart) / bytesPerSecond;
		}
		if (name === 'fmt ') bytesPerSecond = (yield { at: at + RATE_OFFSET, bytes: 4 }).readUInt32LE();
		// A chunk of an odd size is followed by one more byte.
		at = bodyStart + sizeBytes + (sizeBytes % 2);
	}
	return () => undefined;
}
