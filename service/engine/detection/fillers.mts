import { HOPS_PER_SECOND, quantile, smoothed } from '../signal/levels.mts';
import { amongPhrases } from './phrases.mts';
import { countOf, editAt, runsOf, type Scene } from './scene.mts';
import { profileDistance, profileOf, restlessnessOf } from './spectra.mts';
import type { IndexRange, TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';

/** A shorter filler is a hesitation, hops. */
const SHORTEST_FILLER_HOPS = 32;

/** Length of a filler, hops: words such as "a" and "eh" are shorter. */
const SHORTEST_HOPS = 20;
const LONGEST_HOPS = 2 * HOPS_PER_SECOND;

/** Anything this far below its loudest hop is an echo or a pause, dB. */
const CORE_DEPTH_DB = 15;
const LEAST_VOICED_SHARE = 0.85;

/** It has pauses on both sides, one of them longer, hops. */
const SHORTEST_PAUSE_HOPS = 5;
const LONGER_PAUSE_HOPS = 8;
/** Its minimum length where the pause is not silent: that may be a stop within a word, hops. */
const SHORTEST_IN_ECHO_HOPS = 40;

/** A sound that is held changes no more than this within 30 ms, dB a band: in words, the mouth moves on. */
const MOST_RESTLESSNESS_DB = 2.1;

/** How far it may move on its way: its thirds apart, dB a band, and the middle half of its pitches, semitones. */
interface Way {
	readonly driftDb: number;
	readonly pitchSpread: number;
}

/** People let an "um" sink and close their mouths slowly. */
const SINKING: Way = { driftDb: 3.8, pitchSpread: 5 };

/** A hesitation is too short to move far, and some words are as short. */
const HELD: Way = { driftDb: 2, pitchSpread: 1.5 };

/** Where a recogniser heard "um", it is one even if it moves far; the pauses around it must still be there. */
const HEARD: Way = { driftDb: 6, pitchSpread: 8 };

/** The level falls further than this between two syllables, dB. */
const MOST_DIP_DB = 6;

/** It is no more than this below speech, dB. */
const MOST_DEPTH_DB = 14;

/**
 * The vowel and the nasal of "um" each have this minimum length, hops, and are held. The nasal is this much
 * darker than the vowel, and this much weaker above 1 kHz than below 500 Hz, dB.
 */
const SHORTEST_PART_HOPS = 10;
const LEAST_DARKENING_DB = 4;
const LEAST_NASAL_DARKNESS_DB = 8;

/** Bands below 500 Hz, from 1 to 2.4 kHz, and above. An "ee" has little between the first and the last. */
const LOW_BANDS = [0, 3] as const;
const MIDDLE_BANDS = [6, 11] as const;
const HIGH_BANDS = [12, 17] as const;
const MOST_BRIGHTNESS_DB = 6;

/**
 * Finds fillers (um, uh, mm) and hesitations (the same, shorter) in the denoised signal. They are one
 * sound, or a vowel and a nasal, between two pauses. It may sink and close, but slowly: in words, the mouth moves.
 *
 * @param heard where a recogniser heard fillers, if only roughly.
 */
export function findFillers(scene: Scene, heard: readonly TimeRange[] = []): TimelineEdit[] {
	const isAmongPhrases = amongPhrases(scene);
	return runsOf(scene.isActive, 2)
		.flatMap((island) => coresIn(scene, island))
		.flatMap((core) => {
			const way = wayOf(core, heard);
			const isFound = isFiller(scene, core, way) && (way === HEARD || isAmongPhrases(core));
			return isFound ? [editOf(scene, core, way)] : [];
		})
		.toSorted((a, b) => a.startSeconds - b.startSeconds);
}

/** A loud stretch of an island, and the pauses around it, hops. */
interface Core extends IndexRange {
	island: IndexRange;
	pauseBefore: number;
	pauseAfter: number;
}

/** The loudest stretch of a part of an island, and those beside it. */
function coresIn(scene: Scene, island: IndexRange, part = island): Core[] {
	if (part.end - part.start < SHORTEST_HOPS) return [];
	const levels = scene.denoisedDb;
	const loudest =
		part.start + levels.subarray(part.start, part.end).indexOf(loudestDb(scene, part));
	const limitDb = levels[loudest] - CORE_DEPTH_DB;
	// Beyond the ends of the recording there is no pause: what it begins with may be a word.
	const isSoft = (hop: number) => hop >= 0 && hop < scene.hops && levels[hop] < limitDb;
	const softHops = (from: number, step: number) => {
		let count = 0;
		while (count < LONGER_PAUSE_HOPS && isSoft(from + step * count)) count++;
		return count;
	};
	let [start, end] = [loudest, loudest + 1];
	while (start > part.start && !isSoft(start - 1)) start--;
	while (end < part.end && !isSoft(end)) end++;
	return [
		{ start, end, island, pauseBefore: softHops(start - 1, -1), pauseAfter: softHops(end, 1) },
		...coresIn(scene, island, { start: part.start, end: start }),
		...coresIn(scene, island, { start: end, end: part.end }),
	];
}

/** How far a core may move: further where its middle was heard as a filler. */
function wayOf({ start, end }: Core, heard: readonly TimeRange[]): Way {
	const middle = (start + end) / 2 / HOPS_PER_SECOND;
	if (heard.some((it) => it.startSeconds <= middle && middle < it.endSeconds)) return HEARD;
	return end - start >= SHORTEST_FILLER_HOPS ? SINKING : HELD;
}

function isFiller(scene: Scene, core: Core, way: Way): boolean {
	const { island, pauseBefore, pauseAfter } = core;
	const length = core.end - core.start;
	const isAlone =
		core.start - island.start < SHORTEST_PAUSE_HOPS && island.end - core.end < LONGER_PAUSE_HOPS;
	return (
		length >= (isAlone ? SHORTEST_HOPS : SHORTEST_IN_ECHO_HOPS) &&
		length <= LONGEST_HOPS &&
		Math.min(pauseBefore, pauseAfter) >= SHORTEST_PAUSE_HOPS &&
		Math.max(pauseBefore, pauseAfter) >= LONGER_PAUSE_HOPS &&
		countOf(scene.isVoiced, core.start, core.end) >= LEAST_VOICED_SHARE * length &&
		loudestDb(scene, core) >= scene.denoisedSpeechDb - MOST_DEPTH_DB &&
		pitchSpread(scene, core) <= way.pitchSpread &&
		restlessnessOf(scene.denoised.mel, core) <= MOST_RESTLESSNESS_DB &&
		deepestDip(scene, core) <= MOST_DIP_DB &&
		brightness(profileOf(scene.denoised.mel, core)) <= MOST_BRIGHTNESS_DB &&
		(driftDb(scene, core) <= way.driftDb || isVowelAndNasal(scene, core))
	);
}

/** The core with its soft beginning and its echo: as far as the sound goes on falling. */
function wholeOf({ denoisedDb }: Scene, { island, ...core }: Core): IndexRange {
	let { start, end } = core;
	while (start > island.start && denoisedDb[start - 1] < denoisedDb[start]) start--;
	while (end < island.end && denoisedDb[end] < denoisedDb[end - 1]) end++;
	return { start, end };
}

function loudestDb({ denoisedDb }: Scene, { start, end }: IndexRange): number {
	// An hour of music is one island: spread as arguments, its levels would overflow the stack.
	return denoisedDb.subarray(start, end).reduce((loudest, level) => Math.max(loudest, level));
}

/** How far the level falls between two louder moments, dB. */
function deepestDip({ denoisedDb }: Scene, { start, end }: IndexRange): number {
	const levels = smoothed(denoisedDb.subarray(start, end), 1);
	let deepest = 0;
	for (let hop = 1; hop < levels.length - 1; hop++) {
		const before = Math.max(...levels.subarray(0, hop));
		const after = Math.max(...levels.subarray(hop + 1));
		deepest = Math.max(deepest, Math.min(before, after) - levels[hop]);
	}
	return deepest;
}

/** How far apart the thirds of a sound are, dB a band. */
function driftDb({ denoised }: Scene, { start, end }: IndexRange): number {
	const third = Math.floor((end - start) / 3);
	const [first, second, last] = [start, start + third, start + 2 * third].map((from) =>
		profileOf(denoised.mel, { start: from, end: from + third }),
	);
	return Math.max(
		profileDistance(first, second),
		profileDistance(second, last),
		profileDistance(first, last),
	);
}

/** True if a held sound turns into a darker one that is held as well. */
function isVowelAndNasal(scene: Scene, { start, end }: IndexRange): boolean {
	for (let split = start + SHORTEST_PART_HOPS; split <= end - SHORTEST_PART_HOPS; split += 2) {
		const vowel = { start, end: split - 2 };
		const nasal = { start: split + 2, end };
		const nasalDarkness = darkness(scene, nasal);
		const isNasal =
			nasalDarkness >= LEAST_NASAL_DARKNESS_DB &&
			nasalDarkness - darkness(scene, vowel) >= LEAST_DARKENING_DB;
		const isHeld = (part: IndexRange) => driftDb(scene, part) <= HELD.driftDb;
		if (isNasal && isHeld(vowel) && isHeld(nasal)) return true;
	}
	return false;
}

/** How much of a sound is below 500 Hz against what is from 1 to 2.4 kHz, dB. */
function darkness({ denoised }: Scene, range: IndexRange): number {
	const profile = profileOf(denoised.mel, range);
	return loudestIn(profile, LOW_BANDS) - loudestIn(profile, MIDDLE_BANDS);
}

function brightness(profile: Float32Array): number {
	return loudestIn(profile, HIGH_BANDS) - loudestIn(profile, MIDDLE_BANDS);
}

function loudestIn(profile: Float32Array, [first, last]: readonly [number, number]): number {
	return Math.max(...profile.subarray(first, last + 1));
}

/** The range of the middle half of the pitches, in semitones. */
function pitchSpread({ isVoiced, denoised }: Scene, { start, end }: IndexRange): number {
	const pitches: number[] = [];
	for (let hop = start; hop < end; hop++) {
		if (isVoiced[hop]) pitches.push(12 * Math.log2(denoised.pitchHz[hop] + 1));
	}
	const middle = quantile(pitches, 0.5);
	// An octave more or less is a slip of the measurement.
	const folded = pitches.map((pitch) => pitch - 12 * Math.round((pitch - middle) / 12));
	folded.sort((a, b) => a - b);
	const quarter = Math.floor(folded.length / 4);
	return (folded.at(-1 - quarter) ?? 0) - (folded[quarter] ?? 0);
}

function editOf(scene: Scene, core: Core, way: Way): TimelineEdit {
	const range = wholeOf(scene, core);
	const drift = driftDb(scene, core);
	const margins = [
		1 - restlessnessOf(scene.denoised.mel, core) / MOST_RESTLESSNESS_DB,
		1 - pitchSpread(scene, core) / way.pitchSpread,
		1 - deepestDip(scene, core) / MOST_DIP_DB,
		// Further apart are only a vowel and a nasal, which is a rule without a figure.
		...(drift <= way.driftDb ? [1 - drift / way.driftDb] : []),
	];
	const isFiller = range.end - range.start >= SHORTEST_FILLER_HOPS;
	return editAt(isFiller ? 'filler' : 'hesitation', range, margins);
}
