import { HOPS_PER_SECOND, noiseFloorDb, smoothed, speechLevelDb } from './levels.mts';
import type { TimelineEdit } from './types.mts';

/** Levels of the recording as it came and of the same after noise reduction, every 10 ms, dBFS. */
export interface AnalysisLevels {
	raw: Float32Array;
	denoised: Float32Array;
}

/** A pause from this length on is a long silence, in seconds. */
export const LONG_SILENCE_SECONDS = 0.9;

/**
 * What is left of a long silence on each side of it, in seconds: together a natural pause, and a
 * guard for soft beginnings and endings of words that are not told from noise.
 */
export const KEPT_PAUSE_SECONDS = 0.2;

/** A recording whose speech is no louder than this holds none, dBFS. */
const FAINTEST_SPEECH_DB = -70;

/** Speech stands out from the noise by at least this much, or nothing is taken for silence. */
const LEAST_CONTRAST_DB = 12;

/** Noise comes and goes by so much around its floor. */
const RAW_MARGIN_DB = 9;

/** In the denoised signal silence is so much below speech; the second figure when noise is left. */
const DENOISED_DEPTH_DB = 38;
const DENOISED_LEAST_DEPTH_DB = 25;
const DENOISED_MARGIN_DB = 6;

/** A sound no longer than this with stillness on both sides is a click, not a word. */
const CLICK_HOPS = 4;
const STILLNESS_HOPS = 25;

/**
 * Finds long silences. Precision comes first: a place counts as silent only if the recording is
 * near its local noise floor there AND the denoised signal holds nothing. The first keeps music and
 * faint voices that noise reduction swallows, the second keeps words in noise.
 *
 * @returns what may be cut, in order and without overlap; at the recording's ends up to the end.
 */
export function findLongSilences(levels: AnalysisLevels): TimelineEdit[] {
	const raw = smoothed(levels.raw, 1);
	const denoised = smoothed(levels.denoised, 1);
	const rawSpeechDb = speechLevelDb(raw);
	if (rawSpeechDb < FAINTEST_SPEECH_DB) return [];
	const rawLimit = rawLimits(raw, rawSpeechDb);
	const denoisedLimit = denoisedLimits(denoised, speechLevelDb(denoised));
	const hops = Math.min(raw.length, denoised.length);
	const isSilent = Array.from(
		{ length: hops },
		(_, hop) => raw[hop] < rawLimit[hop] && denoised[hop] < denoisedLimit[hop],
	);
	const stretches = runsOf(withoutClicks(isSilent));
	return stretches
		.filter(([start, end]) => end - start >= LONG_SILENCE_SECONDS * HOPS_PER_SECOND)
		.map(([start, end]) => ({
			...cutOf(start, end, hops),
			kind: 'long_silence' as const,
			confidence: confidenceOf(denoised, denoisedLimit, start, end),
		}))
		.filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds);
}

function rawLimits(raw: Float32Array, speechDb: number): Float32Array {
	// Digital silence between words would put the floor at the bottom and the room's noise above it.
	const lowestFloorDb = speechDb - 60;
	return noiseFloorDb(raw).map((floorDb) =>
		Math.min(Math.max(floorDb, lowestFloorDb) + RAW_MARGIN_DB, speechDb - LEAST_CONTRAST_DB),
	);
}

function denoisedLimits(denoised: Float32Array, speechDb: number): Float32Array {
	const usualDb = speechDb - DENOISED_DEPTH_DB;
	return noiseFloorDb(denoised).map((floorDb) =>
		Math.max(usualDb, Math.min(floorDb + DENOISED_MARGIN_DB, speechDb - DENOISED_LEAST_DEPTH_DB)),
	);
}

/** The same with short lone sounds taken for silence. */
function withoutClicks(isSilent: readonly boolean[]): boolean[] {
	const runs = runsOf(isSilent);
	const result = [...isSilent];
	runs.forEach(([start, end], index) => {
		if (index + 1 === runs.length) return;
		const next = runs[index + 1];
		const isStillAround = end - start >= STILLNESS_HOPS && next[1] - next[0] >= STILLNESS_HOPS;
		if (isStillAround && next[0] - end <= CLICK_HOPS) result.fill(true, end, next[0]);
	});
	return result;
}

/** The stretches of true values, as [first, behind the last]. */
function runsOf(values: readonly boolean[]): [number, number][] {
	const runs: [number, number][] = [];
	let start: number | undefined;
	for (let i = 0; i <= values.length; i++) {
		if (values[i]) start ??= i;
		else if (start !== undefined) {
			runs.push([start, i]);
			start = undefined;
		}
	}
	return runs;
}

function cutOf(start: number, end: number, hops: number) {
	const startSeconds = start === 0 ? 0 : start / HOPS_PER_SECOND + KEPT_PAUSE_SECONDS;
	const isLast = end === hops;
	// Behind the last word the pause is not followed by anything: keep all of it there.
	const kept = isLast ? KEPT_PAUSE_SECONDS : 0;
	const endSeconds = isLast ? end / HOPS_PER_SECOND : end / HOPS_PER_SECOND - KEPT_PAUSE_SECONDS;
	return { startSeconds: startSeconds + kept, endSeconds };
}

/** 0.5 when the loudest moment is just quiet enough, 1 when it is 20 dB below that. */
function confidenceOf(
	denoised: Float32Array,
	limit: Float32Array,
	start: number,
	end: number,
): number {
	let leastDepthDb = 20;
	for (let hop = start; hop < end; hop++) {
		leastDepthDb = Math.min(leastDepthDb, limit[hop] - denoised[hop]);
	}
	return Math.round((0.5 + Math.max(0, leastDepthDb) / 40) * 100) / 100;
}
