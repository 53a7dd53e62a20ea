import { HOPS_PER_SECOND } from '../signal/levels.mts';
import { soundDifference } from './soundDifference.mts';
import { countOf, runsOf, type Scene } from './scene.mts';
import { restlessnessOf } from './spectra.mts';
import type { TimelineEdit } from '../../shared/timeRanges.mts';

/** Length of a broken-off beginning, hops. */
const SHORTEST_HOPS = 7;
const LONGEST_HOPS = 42;

/** The pause after it, hops. */
const LONGEST_PAUSE_HOPS = 30;

/** A pause sets it off from what comes before it, hops. */
const SHORTEST_PAUSE_BEFORE_HOPS = 4;

/** It differs from what begins the next attempt by no more than this, dB a band. */
const MOST_DIFFERENCE_DB = 4.2;

/** The likeness needed without a pause after it ("sixty-six"), or for one held vowel. */
const HELD_RESTLESSNESS_DB = 2;
const MOST_DOUBTFUL_DIFFERENCE_DB = 2.5;

/** Voiced hops a fragment needs: noises are alike, too. */
const FEWEST_VOICED_HOPS = 4;

/** It is said aloud: no more than this below speech, dB, and a voice is heard for this share of it. */
const MOST_DEPTH_DB = 12;
const LEAST_VOICE_SHARE = 0.4;

/** Hops at the end that are not compared: a broken-off word fades. */
const FADING_HOPS = 3;

/**
 * Finds repeated beginnings of words: a short sound, a short pause, and then something that begins
 * with the same sound. Each is cut up to the next attempt. Found in the denoised signal.
 */
export function findStutters(scene: Scene): TimelineEdit[] {
	const islands = runsOf(scene.isActive, 0);
	const edits: TimelineEdit[] = [];
	let attempt = -1;
	for (let first = 0; first < islands.length; first++) {
		const pauseBefore = islands[first].start - (islands[first - 1]?.end ?? -Infinity);
		// The second attempt follows the first more closely than that.
		if (pauseBefore < SHORTEST_PAUSE_BEFORE_HOPS && first !== attempt) continue;
		const found = repetitionAt(scene, islands, first);
		if (!found) continue;
		attempt = found.next;
		const { next, difference } = found;
		const startSeconds = (islands[first].start - 1) / HOPS_PER_SECOND;
		const endSeconds = (islands[next].start - 1) / HOPS_PER_SECOND;
		const confidence = Math.round((1 - difference / MOST_DIFFERENCE_DB / 2) * 100) / 100;
		const last = edits.at(-1);
		// The second try is often repeated, too: one edit from the first to the word.
		if (last && last.endSeconds === startSeconds) {
			last.endSeconds = endSeconds;
			last.confidence = Math.max(last.confidence, confidence);
		} else edits.push({ kind: 'stutter', startSeconds, endSeconds, confidence });
		first = next - 1;
	}
	return edits;
}

/** Looks whether a fragment that begins with an island is said again; it may be in pieces, as "st" is. */
function repetitionAt(
	scene: Scene,
	islands: readonly { start: number; end: number }[],
	first: number,
): { next: number; difference: number } | undefined {
	const { start } = islands[first];
	let best: { next: number; difference: number } | undefined;
	for (let next = first + 1; next < islands.length; next++) {
		const { end } = islands[next - 1];
		const length = end - start;
		if (length > LONGEST_HOPS) break;
		const pause = islands[next].start - end;
		if (length < SHORTEST_HOPS || pause > LONGEST_PAUSE_HOPS) continue;
		if (!isSaid(scene, start, end)) continue;
		const fragment = { start, end: end - FADING_HOPS };
		const difference = soundDifference(scene, fragment, islands[next].start);
		const isDoubtful =
			pause < 2 || restlessnessOf(scene.denoised.mel, fragment) < HELD_RESTLESSNESS_DB;
		const mostDb = isDoubtful ? MOST_DOUBTFUL_DIFFERENCE_DB : MOST_DIFFERENCE_DB;
		if (difference <= mostDb && difference < (best?.difference ?? Infinity)) {
			best = { next, difference };
		}
	}
	return best;
}

function isSaid(
	{ isVoiced, raw, denoisedDb, denoisedSpeechDb }: Scene,
	start: number,
	end: number,
): boolean {
	return (
		countOf(isVoiced, start, end) >= FEWEST_VOICED_HOPS &&
		countOf(raw.isVoice, start, end) >= LEAST_VOICE_SHARE * (end - start) &&
		Math.max(...denoisedDb.subarray(start, end)) >= denoisedSpeechDb - MOST_DEPTH_DB
	);
}
