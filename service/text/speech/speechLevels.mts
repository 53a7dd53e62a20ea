import { createReadStream } from 'node:fs';

import { HOPS_PER_SECOND, SILENCE_DB, speechLevelDb } from '../../engine/signal/levels.mts';
import { SPEECH_RATE_HZ, SPEECH_SAMPLE_BYTES, type SpeechAudio } from './speech.mts';

const HOP_BYTES = (SPEECH_RATE_HZ / HOPS_PER_SECOND) * SPEECH_SAMPLE_BYTES;

const FULL_SCALE = 32_768;

/**
 * Returns the level of speech every 10 ms in dBFS (RMS, -120 to 0): 4 bytes each, 14 MB for ten
 * hours.
 *
 * @throws the signal's reason when aborted.
 */
export async function levelsOfSpeech(
	{ path }: SpeechAudio,
	signal?: AbortSignal,
): Promise<Float32Array> {
	const levels: number[] = [];
	const options = { highWaterMark: HOP_BYTES * 2_000, ...(signal && { signal }) };
	const parts: AsyncIterable<unknown> = createReadStream(path, options);
	let rest: Buffer = Buffer.alloc(0);
	for await (const part of parts) {
		if (!(part instanceof Uint8Array)) continue;
		const bytes = Buffer.concat([rest, part]);
		const hops = Math.floor(bytes.length / HOP_BYTES);
		for (let hop = 0; hop < hops; hop++) levels.push(levelDb(bytes, hop * HOP_BYTES));
		rest = bytes.subarray(hops * HOP_BYTES);
	}
	return Float32Array.from(levels);
}

function levelDb(bytes: Buffer, offset: number): number {
	let sum = 0;
	for (let at = offset; at < offset + HOP_BYTES; at += SPEECH_SAMPLE_BYTES) {
		sum += bytes.readInt16LE(at) ** 2;
	}
	const meanSquare = (sum * SPEECH_SAMPLE_BYTES) / HOP_BYTES / FULL_SCALE ** 2;
	return Math.max(SILENCE_DB, 10 * Math.log10(meanSquare));
}

/** The noise is the level that a tenth of each half minute stays below. */
const NOISE_HOPS = 30 * HOPS_PER_SECOND;

/**
 * Returns how far speech stands out from the noise in its pauses, in dB. It is the median over the
 * recording, so that one noisy minute or one stretch of digital silence does not decide.
 */
export function signalToNoiseDb(levels: Float32Array): number {
	const floors: number[] = [];
	for (let start = 0; start < levels.length; start += NOISE_HOPS) {
		const sorted = levels.slice(start, start + NOISE_HOPS).sort();
		floors.push(sorted[Math.floor(sorted.length / 10)]);
	}
	const middle = floors.sort((a, b) => a - b).at(floors.length / 2);
	return middle === undefined ? 0 : speechLevelDb(levels) - middle;
}
