import { type WavSound, wavSoundBytes } from '../duration/wavHeaders';
import type { Passage } from '../tags/mp3/passageCutter';

/** A file that is a part of another one, between a new start and a new end. */
export interface FilePart {
	readonly start: Buffer;
	readonly fromByte: number;
	readonly toByte: number;
	readonly end: Buffer;
}

const EXTENSIBLE = 0xfffe;

/** Formats with one value for each sample, so that they can be cut anywhere: PCM, float, A-law, µ-law, extensible. */
const UNCOMPRESSED: ReadonlySet<number> = new Set([1, 3, 6, 7, EXTENSIBLE]);

/** Where the extensible format has the number of the format that it extends. */
const SUB_FORMAT_OFFSET = 24;

/** What a header may state; other values are none of a recording. */
const MAX_SAMPLE_RATE_HZ = 768_000;
const MAX_BLOCK_BYTES = 64 * 8;

/** The headers state sizes in 32 bits. */
const MAX_SOUND_BYTES = 0xfff0_0000;

/** Up to the chunk `fmt `, and the header of the chunk `data`. */
const FILE_HEADER_BYTES = 20;
const CHUNK_HEADER_BYTES = 8;

/** The sound of a WAV file that can be cut anywhere: its size, and that of one sample of all channels. */
interface WavSamples {
	readonly sampleRateHz: number;
	readonly blockBytes: number;
	readonly samples: number;
}

/** How the sound of a WAV file of this size can be cut; undefined if it is compressed or not that of a recording. */
export function wavSamples(sound: WavSound, fileBytes: number): WavSamples | undefined {
	const { format } = sound;
	const tag = format.readUInt16LE(0);
	const isLong = format.length >= SUB_FORMAT_OFFSET + 2;
	const subTag = tag === EXTENSIBLE && isLong ? format.readUInt16LE(SUB_FORMAT_OFFSET) : tag;
	const sampleRateHz = format.readUInt32LE(4);
	const blockBytes = format.readUInt16LE(12);
	const isUsable =
		UNCOMPRESSED.has(subTag) &&
		sampleRateHz > 0 &&
		sampleRateHz <= MAX_SAMPLE_RATE_HZ &&
		blockBytes > 0 &&
		blockBytes <= MAX_BLOCK_BYTES;
	const samples = Math.floor(wavSoundBytes(sound, fileBytes) / blockBytes);
	return isUsable && samples > 0 ? { sampleRateHz, blockBytes, samples } : undefined;
}

/**
 * A passage of a WAV file as a WAV file of its own, to the sample; undefined if the file does not have it, or it is
 * longer than a WAV file can be.
 */
export function wavPassage(
	sound: WavSound,
	{ sampleRateHz, blockBytes, samples }: WavSamples,
	{ startSeconds, durationSeconds }: Passage,
): FilePart | undefined {
	const from = Math.round(startSeconds * sampleRateHz);
	const to = Math.min(samples, from + Math.round(durationSeconds * sampleRateHz));
	const soundBytes = (to - from) * blockBytes;
	if (soundBytes <= 0 || soundBytes > MAX_SOUND_BYTES) return undefined;
	const end = Buffer.alloc(soundBytes % 2);
	return {
		start: wavStart(sound.format, soundBytes),
		fromByte: sound.startByte + from * blockBytes,
		toByte: sound.startByte + to * blockBytes,
		end,
	};
}

/** What comes before the sound: the headers, and the format as the whole file has it. */
function wavStart(format: Buffer, soundBytes: number): Buffer {
	const padding = Buffer.alloc(format.length % 2);
	const header = Buffer.alloc(FILE_HEADER_BYTES);
	const dataHeader = Buffer.alloc(CHUNK_HEADER_BYTES);
	const start = [header, format, padding, dataHeader];
	const startBytes = start.reduce((sum, { length }) => sum + length, 0);
	header.write('RIFF', 'latin1');
	header.writeUInt32LE(startBytes + soundBytes + (soundBytes % 2) - CHUNK_HEADER_BYTES, 4);
	header.write('WAVEfmt ', 8, 'latin1');
	header.writeUInt32LE(format.length, 16);
	dataHeader.write('data', 'latin1');
	dataHeader.writeUInt32LE(soundBytes, 4);
	return Buffer.concat(start);
}
