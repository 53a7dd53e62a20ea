import { HOPS_PER_SECOND } from '../../engine/signal/levels.mts';
import type { SpeechAudio } from './speech.mts';
import { levelsOfSpeech } from './speechLevels.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/** Length of a pause to split at, in hops; shorter ones occur inside words. */
const PAUSE_HOPS = 20;

/** Below this level there is no speech, dBFS. */
const NOTHING_SAID_DB = -75;

/**
 * Splits speech at its quietest pauses into chunks for a recognizer, in order and without gaps.
 * Leaves out chunks of silence, for which recognizers invent words.
 *
 * @throws the signal's reason when aborted.
 */
export async function chunksOf(
	speech: SpeechAudio,
	{ minSeconds, maxLengthSeconds }: { minSeconds: number; maxLengthSeconds: number },
	signal?: AbortSignal,
): Promise<TimeRange[]> {
	const levels = await levelsOfSpeech(speech, signal);
	const shortest = Math.round(minSeconds * HOPS_PER_SECOND);
	const longest = Math.round(maxLengthSeconds * HOPS_PER_SECOND);
	const chunks: TimeRange[] = [];
	for (let start = 0; start < levels.length; ) {
		const isLast = levels.length - start <= longest;
		const end = isLast
			? levels.length
			: quietestHop(levels, start + shortest, start + longest, PAUSE_HOPS).hop;
		if (levels.subarray(start, end).some((level) => level > NOTHING_SAID_DB)) {
			chunks.push({ startSeconds: start / HOPS_PER_SECOND, endSeconds: end / HOPS_PER_SECOND });
		}
		start = end;
	}
	return chunks;
}

/** The middle of the quietest pause of a length in a range of hops, and its level; of two equal ones, the later. */
export function quietestHop(
	levels: Float32Array,
	from: number,
	to: number,
	hops: number,
): { hop: number; level: number } {
	let quietest = { hop: to, level: Infinity };
	for (let start = from; start + hops <= to; start++) {
		const level = levels.subarray(start, start + hops).reduce((a, b) => Math.max(a, b));
		if (level <= quietest.level) quietest = { hop: start + Math.floor(hops / 2), level };
	}
	return quietest;
}
