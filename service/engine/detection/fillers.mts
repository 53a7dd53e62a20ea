import { HOPS_PER_SECOND, quantile, smoothed } from '../signal/levels.mts';
import { amongPhrases, isAnswer, pitchesOf } from './phrases.mts';
import { countOf, editAt, runsOf, type Scene } from './scene.mts';
import { profileDistance, profileOf, restlessnessOf } from './spectra.mts';
import type { IndexRange, TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';

/** A shorter filler is a hesitation, hops. */
const MIN_FILLER_HOPS = 32;

/** Length of a filler, hops: words such as "a" and "eh" are shorter. */
const MIN_HOPS = 20;
const MAX_HOPS = 2 * HOPS_PER_SECOND;

/** Anything this far below its loudest hop is an echo or a pause, dB. */
const CORE_DEPTH_DB = 15;
const MIN_VOICED_SHARE = 0.85;

/** It is loud from the beginning of a sound on, and a pause follows, hops: a vowel drawn out within a word is not. */
const MAX_START_HOPS = 5;
const MIN_PAUSE_HOPS = 5;
/** A longer echo may be the rest of a word, and the pause a stop in it; so the filler is longer, too, hops. */
const MAX_ECHO_HOPS = 8;
const MIN_IN_ECHO_HOPS = 40;

/** A sound that is held changes no more than this within 30 ms, dB a band: in words, the mouth moves on. */
const MAX_RESTLESSNESS_DB = 1.9;

/** Of a closed mouth little comes out above 500 Hz. What is this far below the loudest band does not count, dB. */
const FAINTEST_DB = 25;

/**
 * How far it may move on its way: its thirds apart, dB a band, and the middle half of its pitches, semitones;
 * and the minimum pause before it, hops.
 */
interface Way {
	readonly driftDb: number;
	readonly pitchSpread: number;
	readonly pauseHops: number;
}

/** People let an "um" sink and close their mouths slowly: that takes this many hops. */
const MIN_SINKING_HOPS = 50;
const SINKING: Way = { driftDb: 3.8, pitchSpread: 5, pauseHops: 12 };

/** A shorter one moves less, and some words are as short. */
const HELD: Way = { driftDb: 2, pitchSpread: 1.5, pauseHops: 12 };

/** Where a recognizer found "um", it is one even if it moves far; the pauses around it must still be there. */
const RECOGNIZED: Way = { driftDb: 6, pitchSpread: 8, pauseHops: MIN_PAUSE_HOPS };

/** The level falls further than this between two syllables, dB. */
export const MAX_DIP_DB = 6;

/** It is no more than this below speech, dB. */
const MAX_DEPTH_DB = 14;

/** Bands from 1 to 2.4 kHz, and above. An "ee" has less in the first. */
const MIDDLE_BANDS = [6, 11] as const;
const HIGH_BANDS = [12, 17] as const;
const MAX_BRIGHTNESS_DB = 6;

/**
 * Finds fillers (um, uh, mm) and hesitations (the same, shorter) in the denoised signal. They are one
 * sound between two pauses. It may sink and close, but slowly: in words, the mouth moves.
 *
 * @param recognizedFillers where a recognizer heard fillers, if only roughly.
 */
export function findFillers(
	scene: Scene,
	recognizedFillers: readonly TimeRange[] = [],
): TimelineEdit[] {
	const isAmongPhrases = amongPhrases(scene);
	const islands = runsOf(scene.isActive, 2);
	return islands.flatMap((island, place) => {
		const pauseHops = island.start - (islands[place - 1]?.end ?? 0);
		const core = firstCoreOf(scene, island);
		if (!core) return [];
		const way = wayOf(core, recognizedFillers);
		const isFound =
			pauseHops >= way.pauseHops &&
			isFiller(scene, core, way) &&
			(way === RECOGNIZED || (isAmongPhrases(core) && !isAnswer(scene, core)));
		return isFound ? [editOf(scene, core, way)] : [];
	});
}

/** The loud stretch that an island begins with, and a pause after it. */
interface Core extends IndexRange {
	island: IndexRange;
}

/** Returns the loudest stretch of an island's first seconds if these begin with it, or else the loudest before it. */
function firstCoreOf({ denoisedDb }: Scene, island: IndexRange): Core | undefined {
	const maxHops = MAX_START_HOPS + MAX_HOPS + MIN_PAUSE_HOPS;
	let partEnd = Math.min(island.end, island.start + maxHops);
	while (partEnd - island.start >= MIN_HOPS) {
		const levels = denoisedDb.subarray(island.start, partEnd);
		const loudest = island.start + levels.indexOf(Math.max(...levels));
		const limitDb = denoisedDb[loudest] - CORE_DEPTH_DB;
		let [start, end] = [loudest, loudest + 1];
		while (start > island.start && denoisedDb[start - 1] >= limitDb) start--;
		while (end < partEnd && denoisedDb[end] >= limitDb) end++;
		if (start - island.start < MAX_START_HOPS) {
			const after = denoisedDb.subarray(end, end + MIN_PAUSE_HOPS);
			// After the end of the recording there is no pause.
			const endsInPause = after.length === MIN_PAUSE_HOPS && Math.max(...after) < limitDb;
			return endsInPause ? { start, end, island } : undefined;
		}
		partEnd = start;
	}
	return undefined;
}

/** How far a core may move: further where its middle was recognized as a filler. */
function wayOf({ start, end }: Core, recognizedFillers: readonly TimeRange[]): Way {
	const middle = (start + end) / 2 / HOPS_PER_SECOND;
	if (recognizedFillers.some((it) => it.startSeconds <= middle && middle < it.endSeconds))
		return RECOGNIZED;
	return end - start >= MIN_SINKING_HOPS ? SINKING : HELD;
}

function isFiller(scene: Scene, core: Core, way: Way): boolean {
	const length = core.end - core.start;
	const isAlone = core.island.end - core.end < MAX_ECHO_HOPS;
	return (
		length >= (isAlone ? MIN_HOPS : MIN_IN_ECHO_HOPS) &&
		length <= MAX_HOPS &&
		countOf(scene.isVoiced, core.start, core.end) >= MIN_VOICED_SHARE * length &&
		Math.max(...scene.denoisedDb.subarray(core.start, core.end)) >=
			scene.denoisedSpeechDb - MAX_DEPTH_DB &&
		pitchSpread(scene, core) <= way.pitchSpread &&
		restlessnessOf(scene.denoised.mel, core, FAINTEST_DB) <= MAX_RESTLESSNESS_DB &&
		deepestDip(scene, core) <= MAX_DIP_DB &&
		brightness(profileOf(scene.denoised.mel, core)) <= MAX_BRIGHTNESS_DB &&
		driftDb(scene, core) <= way.driftDb
	);
}

/** The core with its soft beginning and its echo: as far as the sound goes on falling. */
function wholeOf({ denoisedDb }: Scene, { island, ...core }: Core): IndexRange {
	let { start, end } = core;
	while (start > island.start && denoisedDb[start - 1] < denoisedDb[start]) start--;
	while (end < island.end && denoisedDb[end] < denoisedDb[end - 1]) end++;
	return { start, end };
}

/** How far the level falls between two louder moments, dB. */
export function deepestDip({ denoisedDb }: Scene, { start, end }: IndexRange): number {
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
	const thirds = [start, start + third, start + 2 * third].map((from) =>
		profileOf(denoised.mel, { start: from, end: from + third }),
	);
	return Math.max(...thirds.map((one, place) => profileDistance(one, thirds[(place + 1) % 3])));
}

function brightness(profile: Float32Array): number {
	const loudestIn = ([first, last]: readonly [number, number]) =>
		Math.max(...profile.subarray(first, last + 1));
	return loudestIn(HIGH_BANDS) - loudestIn(MIDDLE_BANDS);
}

/** The range of the middle half of the pitches, in semitones. */
function pitchSpread(scene: Scene, { start, end }: IndexRange): number {
	const pitches = pitchesOf(scene, start, end);
	const middle = quantile(pitches, 0.5);
	// An octave more or less is a slip of the measurement.
	const folded = pitches.map((pitch) => pitch - 12 * Math.round((pitch - middle) / 12));
	folded.sort((a, b) => a - b);
	const quarter = Math.floor(folded.length / 4);
	return (folded.at(-1 - quarter) ?? 0) - (folded[quarter] ?? 0);
}

function editOf(scene: Scene, core: Core, way: Way): TimelineEdit {
	const range = wholeOf(scene, core);
	const isFiller = range.end - range.start >= MIN_FILLER_HOPS;
	return editAt(isFiller ? 'filler' : 'hesitation', range, marginsOf(scene, core, way));
}

/** How far a sound is within what a held sound may change, see `sureOf`; negative where it changes more. */
function marginsOf(scene: Scene, core: IndexRange, way: Way): number[] {
	return [
		1 - restlessnessOf(scene.denoised.mel, core, FAINTEST_DB) / MAX_RESTLESSNESS_DB,
		1 - pitchSpread(scene, core) / way.pitchSpread,
		1 - deepestDip(scene, core) / MAX_DIP_DB,
		1 - driftDb(scene, core) / way.driftDb,
	];
}

/**
 * Returns how much the sound of any cut is like a filler: the smallest of its margins, up to 1, and negative where it
 * changes as words do. Of the cut, the loudest stretch counts.
 */
export function likenessToFiller(scene: Scene, cut: IndexRange): number {
	const levels = scene.denoisedDb.subarray(cut.start, cut.end);
	const loudest = cut.start + levels.indexOf(Math.max(...levels));
	const limitDb = scene.denoisedDb[loudest] - CORE_DEPTH_DB;
	let [start, end] = [loudest, loudest + 1];
	while (start > cut.start && scene.denoisedDb[start - 1] >= limitDb) start--;
	while (end < cut.end && scene.denoisedDb[end] >= limitDb) end++;
	const way = end - start >= MIN_SINKING_HOPS ? SINKING : HELD;
	return Math.min(...marginsOf(scene, { start, end }, way));
}
