import { amongPhrases } from './phrases.mts';
import { soundDifference } from './soundDifference.mts';
import { countOf, editAt, runsOf, type Scene } from './scene.mts';
import { restlessnessOf } from './spectra.mts';
import type { IndexRange, TimelineEdit } from '../../shared/timeRanges.mts';

/** Length of a broken-off beginning, hops. */
const MIN_HOPS = 7;
const MAX_HOPS = 38;

/** Limits of the pauses before and after it, hops. A shorter one after it may be the stop in "sixty-six". */
const MIN_PAUSE_BEFORE_HOPS = 8;
const MIN_PAUSE_HOPS = 7;
const MAX_PAUSE_HOPS = 22;

/** The next attempt is longer than it by this factor and by these hops: "two, two" is intended. */
const MIN_LENGTH_RATIO = 1.4;
const MIN_REST_HOPS = 8;

/** Gaps up to this long do not end a word, hops. */
const MAX_GAP_HOPS = 2;

/**
 * It differs from the beginning of the next attempt by no more than this, dB a band. The limit is
 * lower for a held vowel, which hardly changes.
 */
const MAX_DIFFERENCE_DB = 3.6;
const MAX_HELD_DIFFERENCE_DB = 2.7;
const HELD_RESTLESSNESS_DB = 2;

/** It is said as loudly as words are: no more than this below speech, dB. */
const MAX_DEPTH_DB = 5;

/** How much of it must be voiced, and in how much a voice must be heard: noises are alike, too. */
const MIN_VOICED_HOPS = 4;
const MIN_VOICED_SHARE = 0.5;
const MIN_VOICE_SHARE = 0.4;

/**
 * Noise is at least this far below speech, dB. In louder noise, the softer sounds of a word are lost, and
 * its syllables are as far apart as attempts are.
 */
const MIN_CONTRAST_DB = 20;

/** Hops at the end that are not compared: a broken-off word fades. */
const FADING_HOPS = 3;

/** Where the next attempt begins, and how much its beginning differs and may differ, dB a band. */
interface Attempt {
	/** The index of its island. */
	next: number;
	difference: number;
	maxDb: number;
}

/**
 * Finds broken-off beginnings of words: a short sound between two pauses, and then something longer
 * that begins with the same sound. Each is cut up to the next attempt. Found in the denoised signal.
 */
export function findStutters(scene: Scene): TimelineEdit[] {
	const islands = runsOf(scene.isActive, 0);
	const isAmongPhrases = amongPhrases(scene);
	const edits: TimelineEdit[] = [];
	for (let first = 0; first < islands.length; first++) {
		const pauseBefore = islands[first].start - (islands[first - 1]?.end ?? -Infinity);
		if (pauseBefore < MIN_PAUSE_BEFORE_HOPS) continue;
		const noiseDb = scene.rawFloorDb[islands[first].start];
		if (noiseDb > scene.rawSpeechDb - MIN_CONTRAST_DB) continue;
		const word = wordAfter(scene, islands, first);
		if (!word) continue;
		const range = { start: islands[first].start - 1, end: islands[word.next].start - 1 };
		if (!isAmongPhrases(range)) continue;
		edits.push(editAt('stutter', range, [1 - word.difference / word.maxDb]));
		first = word.next - 1;
	}
	return edits;
}

/** Returns the attempt that completes a word broken off at `first`; others may break off in between. */
function wordAfter(
	scene: Scene,
	islands: readonly IndexRange[],
	first: number,
): Attempt | undefined {
	const attempt = attemptAfter(scene, islands, first);
	if (!attempt) return undefined;
	const length = islands[attempt.next - 1].end - islands[first].start;
	const goesOn = wordEnd(islands, attempt.next) - islands[attempt.next].start;
	const isWhole = goesOn >= MIN_LENGTH_RATIO * length && goesOn >= length + MIN_REST_HOPS;
	return isWhole ? attempt : wordAfter(scene, islands, attempt.next);
}

/** Where a word ends that begins with an island, small gaps included. */
function wordEnd(islands: readonly IndexRange[], first: number): number {
	let last = first;
	while (islands.at(last + 1) && islands[last + 1].start - islands[last].end <= MAX_GAP_HOPS) {
		last++;
	}
	return islands[last].end;
}

/** Returns the best repetition of what begins at `first`, which may be in pieces, as "st" is. */
function attemptAfter(
	scene: Scene,
	islands: readonly IndexRange[],
	first: number,
): Attempt | undefined {
	const { start } = islands[first];
	let best: Attempt | undefined;
	for (let next = first + 1; next < islands.length; next++) {
		const { end } = islands[next - 1];
		if (end - start > MAX_HOPS) break;
		const pause = islands[next].start - end;
		if (pause < MIN_PAUSE_HOPS || pause > MAX_PAUSE_HOPS) continue;
		if (!isSaid(scene, start, end)) continue;
		const fragment = { start, end: end - FADING_HOPS };
		const difference = soundDifference(scene, fragment, islands[next].start);
		const isHeldVowel = restlessnessOf(scene.denoised.mel, fragment) < HELD_RESTLESSNESS_DB;
		const maxDb = isHeldVowel ? MAX_HELD_DIFFERENCE_DB : MAX_DIFFERENCE_DB;
		if (difference <= maxDb && difference < (best?.difference ?? Infinity)) {
			best = { next, difference, maxDb };
		}
	}
	return best;
}

/**
 * Returns how much what a cut takes out is like what follows it: 1 where it is the same sound, 0 where it differs as much
 * as a stutter may, and negative where it differs more.
 */
export function likenessToNext(scene: Scene, { start, end }: IndexRange): number {
	const [said = { start, end }] = runsOf(scene.isActive.subarray(start, end), MAX_GAP_HOPS).map(
		(run) => ({ start: start + run.start, end: start + run.end }),
	);
	const length = Math.max(1, Math.min(MAX_HOPS, said.end - said.start) - FADING_HOPS);
	const fragment = { start: said.start, end: said.start + length };
	// A cut ends one hop before the next attempt.
	return 1 - soundDifference(scene, fragment, end + 1) / MAX_DIFFERENCE_DB;
}

function isSaid(
	{ isVoiced, raw, denoisedDb, denoisedSpeechDb }: Scene,
	start: number,
	end: number,
): boolean {
	const length = end - start;
	const voiced = countOf(isVoiced, start, end);
	return (
		length >= MIN_HOPS &&
		voiced >= Math.max(MIN_VOICED_HOPS, MIN_VOICED_SHARE * length) &&
		countOf(raw.isVoice, start, end) >= MIN_VOICE_SHARE * length &&
		Math.max(...denoisedDb.subarray(start, end)) >= denoisedSpeechDb - MAX_DEPTH_DB
	);
}
