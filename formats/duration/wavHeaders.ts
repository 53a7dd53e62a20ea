import type { HeaderReading } from './headerWalk';

/** `RIFF`, `RF64` or `BW64`, the size, and `WAVE`. */
const FILE_HEADER_BYTES = 12;

const CHUNK_HEADER_BYTES = 8;

/** What every chunk `fmt ` has; most have more. */
const MIN_FORMAT_BYTES = 16;

/** A longer chunk `fmt ` is none that a program writes. */
const MAX_FORMAT_BYTES = 1_024;

/** From the start of the chunk `ds64`, after its header: the size of the sound, in 64 bits. */
const LONG_SIZE_OFFSET = 8;

/** A writer that cannot go back to the header leaves one of these sizes there, and so does RF64. */
const UNKNOWN_SIZES: readonly number[] = [0, 0xffff_ffff];

/** More chunks before the sound are none that a program writes. */
const MAX_CHUNKS = 1_000;

/** Where a WAV file has its sound, and in which format. */
export interface WavSound {
	/** The chunk `fmt ` without its header, at least 16 bytes. */
	readonly format: Buffer;
	readonly startByte: number;
	/** As the file states it; infinite if it does not. */
	readonly statedBytes: number;
}

/** Whether a file begins like a WAV file. */
export function isWav(start: Buffer): boolean {
	return /^(RIFF|RF64|BW64)[^]{4}WAVE/.test(start.toString('latin1', 0, FILE_HEADER_BYTES));
}

/** Finds the sound of a WAV file; undefined if there is none. */
export function* wavSound(): HeaderReading<WavSound | undefined> {
	let at = FILE_HEADER_BYTES;
	let format: Buffer | undefined;
	let longSize = Infinity;
	for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
		const header = yield { at, bytes: CHUNK_HEADER_BYTES };
		const name = header.toString('latin1', 0, 4);
		const sizeBytes = header.readUInt32LE(4);
		const bodyStart = at + CHUNK_HEADER_BYTES;
		if (name === 'data') {
			const statedBytes = UNKNOWN_SIZES.includes(sizeBytes) ? longSize : sizeBytes;
			return format && { format, startByte: bodyStart, statedBytes };
		}
		if (name === 'fmt ') {
			const bytes = Math.min(Math.max(sizeBytes, MIN_FORMAT_BYTES), MAX_FORMAT_BYTES);
			format = Buffer.from(yield { at: bodyStart, bytes });
		}
		if (name === 'ds64') {
			// From the start of its body on: the next chunk may begin there, if this one says that it is empty.
			const sizes = yield { at: bodyStart, bytes: LONG_SIZE_OFFSET + 8 };
			const size = sizes.readBigUInt64LE(LONG_SIZE_OFFSET);
			if (size > 0) longSize = Number(size);
		}
		// A chunk of an odd size is followed by one more byte.
		at = bodyStart + sizeBytes + (sizeBytes % 2);
	}
	return undefined;
}

/** How many bytes of sound a WAV file of this size has. */
export function wavSoundBytes({ startByte, statedBytes }: WavSound, fileBytes: number): number {
	return Math.max(0, Math.min(statedBytes, fileBytes - startByte));
}

/** Reads the length of a WAV file. */
export function* wavHeaders(): HeaderReading {
	const sound = yield* wavSound();
	return (fileBytes) => sound && wavSoundBytes(sound, fileBytes) / sound.format.readUInt32LE(8);
}
