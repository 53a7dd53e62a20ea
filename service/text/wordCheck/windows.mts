import { HOPS_PER_SECOND } from '../../engine/signal/levels.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { quietestHop } from '../speech/speechChunks.mts';

/** Less sound of speech inside a cut is no word, nor half of one, hops. */
const MIN_SOUND_HOPS = 5;

/** What is heard before and after a cut, so that the recognizer understands what is said there, seconds. */
const AROUND_SECONDS = 4;

/** A window begins and ends at the quietest moment within this of there, hops. */
const REACH_HOPS = 100;
const PAUSE_HOPS = 8;

/** Returns the cuts that hold sound of speech: in no other can a word be. @param sounds 1 for every 10 ms with speech. */
export function cutsOfSpeech<T extends TimeRange>(cuts: readonly T[], sounds: Uint8Array): T[] {
	return cuts.filter((cut) => soundHopsIn(cut, sounds) >= MIN_SOUND_HOPS);
}

/** Returns for how many hops there is sound of speech. */
export function soundHopsIn({ startSeconds, endSeconds }: TimeRange, sounds: Uint8Array): number {
	const [start, end] = [startSeconds, endSeconds].map((one) => Math.round(one * HOPS_PER_SECOND));
	return sounds.subarray(start, end).reduce((sum, sound) => sum + sound, 0);
}

/** Returns what to hear of a recording: some seconds around each cut, joined where they touch. In order. */
export function windowsAround(cuts: readonly TimeRange[], levels: Float32Array): TimeRange[] {
	const windows: TimeRange[] = [];
	for (const cut of cuts.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
		const startSeconds = quietMoment(cut.startSeconds - AROUND_SECONDS, levels);
		const endSeconds = quietMoment(cut.endSeconds + AROUND_SECONDS, levels);
		const last = windows.at(-1);
		if (last && startSeconds <= last.endSeconds) {
			last.endSeconds = Math.max(last.endSeconds, endSeconds);
		} else windows.push({ startSeconds, endSeconds });
	}
	return windows;
}

/** The quietest moment near a time, within the recording. */
function quietMoment(seconds: number, levels: Float32Array): number {
	const hop = Math.round(seconds * HOPS_PER_SECOND);
	if (hop <= REACH_HOPS) return 0;
	if (hop >= levels.length - REACH_HOPS) return levels.length / HOPS_PER_SECOND;
	return quietestHop(levels, hop - REACH_HOPS, hop + REACH_HOPS, PAUSE_HOPS).hop / HOPS_PER_SECOND;
}
