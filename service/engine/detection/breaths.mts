import { meanDb, smoothed } from '../signal/levels.mts';
import { countOf, editAt, MAX_UNREST_DB, pauseUnrestDb, runsOf, type Scene } from './scene.mts';
import { profileOf, restlessnessOf } from './spectra.mts';
import type { IndexRange, TimelineEdit } from '../../shared/timeRanges.mts';

/** Which breaths are taken out (api.md#breath). */
export type BreathMode = 'all' | 'certain' | 'loud';

/** Length of a breath: an s at the end of a word is shorter, hops. */
const MIN_HOPS = 20;
const MAX_HOPS = 110;

/** Where a breath begins and ends it stands out from the noise by this much over its bands, dB. */
const BORDER_EXCESS_DB = 3;

/**
 * The whole of it stands out by this much more than the pauses do for half of the time, dB. For longer, those who
 * breathe in every pause would be the unrest in which their breaths are not heard.
 */
const MIN_EXCESS_DB = 3.5;
const UNREST_SHARE = 0.5;

/** A breath is at least this far below speech, dB. */
const MIN_DEPTH_DB = 8;

/** Breaths keep their color; consonants are gone before they could. */
const MAX_RESTLESSNESS_DB = 3.2;

/** A single band with this share of the sound whistles, as an s does; no breath, dB. */
const MAX_CONCENTRATION_DB = -4.2;

/** Music and voices are more like themselves a period later than this (of 255). */
const MAX_VOICING = 132;

/** After a word comes a gap this long, hops, in which the level falls this far below the breath, dB. */
const MIN_DIP_DB = 10;
const MIN_GAP_HOPS = 4;
const MIN_DIP_HOPS = 2;

/** A breath swells: it begins this much softer than its peak, dB, which comes after this share of it. */
const MIN_SWELL_DB = 5;
const MIN_PEAK_SHARE = 0.15;

/** A shorter sound that touches the next word may be its beginning, hops. */
const MIN_TOUCHING_HOPS = 30;
/** A sound that is further away from a word, in hops, does not belong to it. */
const APART_HOPS = 3;

/** A cut ends this many hops before the next word. */
const GUARD_HOPS = 3;

/** The conservative mode takes out only what is as clear and steady as this, together. */
const CERTAIN = 0.75;

/** The lighter mode takes out only what is no more than this below speech, dB. */
const LOUD_DEPTH_DB = 20;

/** A stretch that may be a breath. */
type Candidate = ReturnType<typeof candidateAt>;

/**
 * Finds breaths: unvoiced, steady, broad-band sounds in the pauses, well below speech. Found in the
 * recording as it came, since noise reduction swallows breaths.
 *
 * @param mode `all`; `certain`: those that stand out clearly and touch no word; `loud`: those one
 * cannot fail to hear, the soft ones stay.
 */
export function findBreaths(scene: Scene, mode: BreathMode): TimelineEdit[] {
	const minExcessDb = MIN_EXCESS_DB + Math.min(MAX_UNREST_DB, pauseUnrestDb(scene, UNREST_SHARE));
	return candidates(scene)
		.filter((candidate) => candidate.excessDb >= minExcessDb && isBreath(candidate))
		.filter((candidate) => {
			if (mode === 'certain') return isCertain(candidate);
			return mode === 'all' || candidate.depthDb <= LOUD_DEPTH_DB;
		})
		.map((candidate) => editAt('breath', candidate, marginsOf(candidate, minExcessDb)));
}

function candidates(scene: Scene): Candidate[] {
	const { hops, isSpeech, rawExcessDb } = scene;
	const excess = smoothed(rawExcessDb, 1);
	const marks = new Uint8Array(hops);
	for (let hop = 0; hop < hops; hop++) {
		marks[hop] = Number(excess[hop] >= BORDER_EXCESS_DB && !isSpeech[hop]);
	}
	return runsOf(marks, 2)
		.filter(({ start, end }) => end - start >= MIN_HOPS && end - start <= MAX_HOPS)
		.map((range) => candidateAt(scene, range));
}

function candidateAt(scene: Scene, { start, end }: IndexRange) {
	const { isSpeech, raw, denoised, rawExcessDb, rawDb, rawSpeechDb } = scene;
	// The next word begins right after it.
	const isTouching = countOf(isSpeech, end, end + APART_HOPS) > 0;
	const range = { start, end: isTouching ? end - GUARD_HOPS : end };
	return {
		...range,
		isTouching,
		hasGapBefore: hasGapBefore(scene, range),
		swells: swells(rawDb, range),
		depthDb: rawSpeechDb - meanDb(rawDb.subarray(range.start, range.end)),
		excessDb: meanOf(rawExcessDb, range),
		restlessnessDb: restlessnessOf(raw.mel, range),
		concentrationDb: Math.max(...profileOf(raw.mel, range)),
		voicing: Math.max(meanOf(raw.voicing, range), meanOf(denoised.voicing, range)),
	};
}

/** False for the tail of a word or its echo. */
function hasGapBefore({ isSpeech, rawDb }: Scene, { start, end }: IndexRange): boolean {
	let lastSpoken = start - 1;
	while (lastSpoken >= 0 && !isSpeech[lastSpoken]) lastSpoken--;
	if (start - lastSpoken <= MIN_GAP_HOPS) return false;
	const limitDb = Math.max(...rawDb.subarray(start, end)) - MIN_DIP_DB;
	const softHops = rawDb.subarray(lastSpoken + 1, start).filter((level) => level <= limitDb).length;
	return lastSpoken < 0 || softHops >= MIN_DIP_HOPS;
}

/** False for a sound that only decays, such as the echo of a click. */
function swells(rawDb: Float32Array, { start, end }: IndexRange): boolean {
	const levels = smoothed(rawDb.subarray(start, end), 2);
	const peakDb = Math.max(...levels);
	return (
		levels[0] <= peakDb - MIN_SWELL_DB && levels.indexOf(peakDb) >= MIN_PEAK_SHARE * levels.length
	);
}

function isBreath(candidate: Candidate): boolean {
	const { start, end, isTouching, depthDb, restlessnessDb, concentrationDb, voicing } = candidate;
	return (
		candidate.hasGapBefore &&
		candidate.swells &&
		depthDb >= MIN_DEPTH_DB &&
		restlessnessDb <= MAX_RESTLESSNESS_DB &&
		concentrationDb <= MAX_CONCENTRATION_DB &&
		voicing <= MAX_VOICING &&
		(!isTouching || end - start >= MIN_TOUCHING_HOPS)
	);
}

function isCertain({ excessDb, restlessnessDb, isTouching }: Candidate): boolean {
	const clear = Math.min(1, (excessDb - MIN_EXCESS_DB) / 12);
	const steady = Math.min(1, Math.max(0, (MAX_RESTLESSNESS_DB - restlessnessDb) / 2));
	const together = Math.round(100 * (0.5 + 0.3 * clear + 0.2 * steady)) / 100;
	return together >= CERTAIN && !isTouching;
}

/** How far a breath is beyond the limits, as `sureOf` takes it. */
function marginsOf(candidate: Candidate, minExcessDb: number): number[] {
	const { excessDb, depthDb, restlessnessDb, concentrationDb, voicing } = candidate;
	return [
		(excessDb - minExcessDb) / 10,
		(depthDb - MIN_DEPTH_DB) / 10,
		MAX_RESTLESSNESS_DB - restlessnessDb,
		(MAX_CONCENTRATION_DB - concentrationDb) / 4,
		(MAX_VOICING - voicing) / 40,
	];
}

function meanOf(values: Float32Array | Uint8Array, { start, end }: IndexRange): number {
	let sum = 0;
	for (let hop = start; hop < end; hop++) sum += values[hop];
	return sum / Math.max(1, end - start);
}
