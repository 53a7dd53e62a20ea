import { createReadStream } from 'node:fs';

import { SPEECH_RATE_HZ, SPEECH_SAMPLE_BYTES, type SpeechAudio } from './speech.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/** Levels are measured every 10 ms. */
const HOPS_PER_SECOND = 100;
const HOP_BYTES = (SPEECH_RATE_HZ / HOPS_PER_SECOND) * SPEECH_SAMPLE_BYTES;

/** Length of a pause to split at, in hops; shorter ones occur inside words. */
const PAUSE_HOPS = 20;

/** Mean square of 16-bit samples below which there is no speech: about −75 dBFS. */
const NOTHING_SAID = 35;

/** Limits for the length of a chunk, in seconds. */
export interface ChunkLengths {
	shortestSeconds: number;
	longestSeconds: number;
}

/**
 * Splits speech at its quietest pauses into chunks for a recogniser, in order and without gaps.
 * Leaves out chunks of silence, for which recognisers invent words.
 *
 * @throws the signal's reason when aborted.
 */
export async function chunksOf(
	speech: SpeechAudio,
	{ shortestSeconds, longestSeconds }: ChunkLengths,
	signal?: AbortSignal,
): Promise<TimeRange[]> {
	const levels = await meanSquaresOf(speech.path, signal);
	const shortest = Math.round(shortestSeconds * HOPS_PER_SECOND);
	const longest = Math.round(longestSeconds * HOPS_PER_SECOND);
	const chunks: TimeRange[] = [];
	for (let start = 0; start < levels.length; ) {
		const isLast = levels.length - start <= longest;
		const end = isLast ? levels.length : quietestHop(levels, start + shortest, start + longest);
		if (levels.subarray(start, end).some((level) => level > NOTHING_SAID)) {
			chunks.push({ startSeconds: start / HOPS_PER_SECOND, endSeconds: end / HOPS_PER_SECOND });
		}
		start = end;
	}
	return chunks;
}

/** The middle of the quietest pause in a range of hops; of two equal ones, the later. */
function quietestHop(levels: Float32Array, from: number, to: number): number {
	let quietest = Infinity;
	let hop = to;
	for (let start = from; start + PAUSE_HOPS <= to; start++) {
		const loudest = levels.subarray(start, start + PAUSE_HOPS).reduce((a, b) => Math.max(a, b));
		if (loudest <= quietest) {
			quietest = loudest;
			hop = start + PAUSE_HOPS / 2;
		}
	}
	return hop;
}

/** The mean square of each hop: 4 bytes per 10 ms, 14 MB for ten hours. */
async function meanSquaresOf(path: string, signal?: AbortSignal): Promise<Float32Array> {
	const levels: number[] = [];
	const options = { highWaterMark: HOP_BYTES * 2_000, ...(signal && { signal }) };
	const parts: AsyncIterable<unknown> = createReadStream(path, options);
	let rest: Buffer = Buffer.alloc(0);
	for await (const part of parts) {
		if (!(part instanceof Uint8Array)) continue;
		const bytes = Buffer.concat([rest, part]);
		const hops = Math.floor(bytes.length / HOP_BYTES);
		for (let hop = 0; hop < hops; hop++) levels.push(meanSquare(bytes, hop * HOP_BYTES));
		rest = bytes.subarray(hops * HOP_BYTES);
	}
	return Float32Array.from(levels);
}

function meanSquare(bytes: Buffer, offset: number): number {
	let sum = 0;
	for (let at = offset; at < offset + HOP_BYTES; at += SPEECH_SAMPLE_BYTES) {
		sum += bytes.readInt16LE(at) ** 2;
	}
	return (sum * SPEECH_SAMPLE_BYTES) / HOP_BYTES;
}
