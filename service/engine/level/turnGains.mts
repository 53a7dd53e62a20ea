import type { IndexRange, TimeRange } from '../../shared/timeRanges.mts';
import type { PcmSource } from '../../media/pcmFile.mts';
import type { LevelProfile } from './levelProfile.mts';
import {
	energyDb,
	factorAt,
	factorOf,
	hopFramesAt,
	HOPS_PER_SECOND,
	noiseFloorDb,
	smoothed,
	speechLevelDb,
} from '../signal/levels.mts';
import { alike } from '../voice/voices.mts';
import { phrasesOf, softestHop, type Phrase } from './phraseLevels.mts';
import type { Speakers } from './speakers.mts';

/** Two voices less far apart stay as they are, dB: one actor may play both, unless they are no more alike than this. */
const MIN_DIFFERENCE_DB = 4.5;
const MIN_DIFFERENCE_OF_OTHERS_DB = 3;
const MAX_ALIKE_OF_OTHERS = 0.69;

/** A speaker is raised to this much below the loudest, dB, and by no more than this. */
const REMAINING_DIFFERENCE_DB = 1;
const MAX_GAIN_DB = 21;

/** The noise between raised words stays this much below the loudest speaker, dB. */
const MIN_NOISE_DEPTH_DB = 25;

/** The softest moment of steady noise is this much softer than the noise, dB; it is sought this near a phrase, hops. */
const NOISE_VARIES_DB = 1.5;
const NOISE_REACH_HOPS = HOPS_PER_SECOND;

/** Who speaks for less than this share of the time does not set the level. */
const MIN_SHARE = 0.05;

/** A phrase of somebody who is raised gets no louder than this above the loudest speaker, dB: it may be a shout. */
const MAX_ABOVE_DB = 4;

/** Within the turn of somebody who is raised, pauses are raised by no more than this, dB. */
const MAX_PAUSE_GAIN_DB = 6;

/** A longer pause lies between turns, hops: it is not raised. */
const MAX_PAUSE_HOPS = 2 * HOPS_PER_SECOND;

/** Gains change within this beside a phrase, hops. */
const RAMP_HOPS = 6;

/** The softest and the loudest of what is said, as shares of its time: if they are near, nobody is raised. */
const SOFTEST_SHARE = 0.1;
const LOUDEST_SHARE = 0.75;

/** What is said in a recording, with what is known of its levels. */
export interface Spoken {
	readonly phrases: readonly Phrase[];
	/** Of every hop, dB: what is heard, and the noise. */
	readonly levels: Float32Array;
	readonly floor: Float32Array;
	readonly isMusic: Uint8Array;
}

/** By how much speakers are raised. */
export interface TurnGains {
	/** An amplitude factor for every hop of the profile. */
	readonly factors: Float32Array;
	/** For speakers whom noise keeps from what they need: what they need and what they get, dB. */
	readonly kept: readonly { readonly wantedDb: number; readonly gainDb: number }[];
}

/** Finds what is said in a recording; music is left out. */
export function spokenIn({ energies }: LevelProfile, music: readonly TimeRange[] = []): Spoken {
	const levels = smoothed(energies.map(energyDb), 2);
	const isMusic = musicHops(levels.length, music);
	const speechDb = speechLevelDb(levels.filter((_, hop) => !isMusic[hop]));
	const floor = noiseFloorDb(levels);
	return { phrases: phrasesOf(levels, floor, isMusic, speechDb), levels, floor, isMusic };
}

/** Whether the levels of what is said are far enough apart for two speakers, one of whom would be raised. */
export function mayBeApart({ phrases }: Spoken): boolean {
	const order = phrases.toSorted((a, b) => a.levelDb - b.levelDb);
	const seconds = order.reduce((sum, { speechSeconds }) => sum + speechSeconds, 0);
	let [past, soft, loudDb] = [0, 0, -Infinity];
	for (const { levelDb, speechSeconds } of order) {
		const counts = Math.min(speechSeconds, Math.max(0, SOFTEST_SHARE * seconds - past));
		soft += counts * levelDb;
		if (past < LOUDEST_SHARE * seconds) loudDb = levelDb;
		past += speechSeconds;
	}
	return seconds > 0 && loudDb - soft / (SOFTEST_SHARE * seconds) >= MIN_DIFFERENCE_DB;
}

/**
 * Plans how to raise speakers who are softer than the loudest one: each by one gain. Gains change beside phrases only.
 * Between turns nothing is raised, and in pauses within them little.
 *
 * @param share of what is missing, from 0 to 1.
 * @returns null if nobody is raised.
 */
export function turnGains(
	{ levels, floor, isMusic }: Spoken,
	{ phrases, of, voices, levelsDb, seconds }: Speakers,
	share = 1,
): TurnGains | null {
	const loudest = loudestSpeaker(levelsDb, seconds);
	const loudestDb = levelsDb[loudest];
	const wanted = levelsDb.map((levelDb, speaker) => {
		const differenceDb = loudestDb - levelDb;
		const isOther = alike(voices[speaker], voices[loudest]) <= MAX_ALIKE_OF_OTHERS;
		if (differenceDb < (isOther ? MIN_DIFFERENCE_OF_OTHERS_DB : MIN_DIFFERENCE_DB)) return 0;
		return share * Math.min(differenceDb - REMAINING_DIFFERENCE_DB, MAX_GAIN_DB);
	});
	const allowed = wanted.map((gainDb, speaker) => {
		const own = phrases.filter((_, at) => of[at] === speaker);
		const floorDb = own.reduce((most, phrase) => {
			return Math.max(most, noiseDbAt(phrase, levels, floor));
		}, -Infinity);
		return Math.max(0, Math.min(gainDb, loudestDb - MIN_NOISE_DEPTH_DB - floorDb));
	});
	if (allowed.every((gainDb) => gainDb === 0)) return null;
	const gains = phrases.map(({ levelDb }, at) => {
		return Math.max(0, Math.min(allowed[of[at]], loudestDb + MAX_ABOVE_DB - levelDb));
	});
	const kept = wanted.flatMap((wantedDb, speaker) => {
		const gainDb = allowed[speaker];
		return gainDb < wantedDb ? [{ wantedDb, gainDb }] : [];
	});
	return { factors: curveOf(phrases, gains, of, isMusic).map(factorOf), kept };
}

/** The profile of a recording with these factors. */
export function raisedProfile({ energies, peaks }: LevelProfile, factors: Float32Array) {
	return {
		energies: energies.map((energy, hop) => energy * factors[hop] ** 2),
		peaks: peaks.map((peak, hop) => peak * factors[hop]),
	};
}

/** Applies a factor for every hop while the recording is read. */
export function raised(input: PcmSource, factors: Float32Array): PcmSource {
	const step = hopFramesAt(input.sampleRateHz);
	return {
		...input,
		async *chunks(startFrame, endFrame) {
			let first = startFrame;
			for await (const chunk of input.chunks(startFrame, endFrame)) {
				const start = first;
				yield chunk.map((sample, i) => {
					return sample * factorAt(factors, (start + Math.floor(i / input.channels)) / step);
				});
				first += chunk.length / input.channels;
			}
		},
	};
}

/**
 * How loud the noise is around a phrase, dB: where hardly anybody pauses, the softest that is heard near it, because a
 * tenth of the time is more than the pauses.
 */
function noiseDbAt({ start, end }: Phrase, levels: Float32Array, floor: Float32Array): number {
	const around = { start: Math.max(0, start - NOISE_REACH_HOPS), end: end + NOISE_REACH_HOPS };
	return Math.min(floor[start], levels[softestHop(levels, around)] + NOISE_VARIES_DB);
}

/** The loudest speaker who speaks for long enough. */
function loudestSpeaker(levelsDb: readonly number[], seconds: readonly number[]): number {
	const least = MIN_SHARE * seconds.reduce((sum, own) => sum + own, 0);
	const long = [...levelsDb.keys()].filter((speaker) => seconds[speaker] >= least);
	return long.reduce((most, speaker) => (levelsDb[speaker] > levelsDb[most] ? speaker : most));
}

function musicHops(hops: number, music: readonly TimeRange[]): Uint8Array {
	const isMusic = new Uint8Array(hops);
	for (const { startSeconds, endSeconds } of music) {
		const end = Math.ceil(endSeconds * HOPS_PER_SECOND);
		isMusic.fill(1, Math.floor(startSeconds * HOPS_PER_SECOND), end);
	}
	return isMusic;
}

/** Gains in dB: those of the phrases, less in the pauses between, none in music. */
function curveOf(
	phrases: readonly Phrase[],
	gains: readonly number[],
	of: readonly number[],
	isMusic: Uint8Array,
): Float32Array {
	const curve = new Float32Array(isMusic.length);
	for (const [at, { start, end }] of phrases.entries()) curve.fill(gains[at], start, end);
	for (let at = 0; at <= phrases.length; at++) {
		const pause = {
			start: phrases[at - 1]?.end ?? 0,
			end: phrases[at]?.start ?? curve.length,
		};
		const isWithin =
			at > 0 && at < phrases.length && of[at] === of[at - 1] && isShort(pause, isMusic);
		const [from, to] = [gains[at - 1] ?? 0, gains[at] ?? 0];
		const pauseDb = isWithin ? Math.min(from, to, MAX_PAUSE_GAIN_DB) : 0;
		fillPause(curve, pause, [from, pauseDb, to]);
	}
	return curve.map((gain, hop) => (isMusic[hop] ? 0 : gain));
}

function isShort({ start, end }: IndexRange, isMusic: Uint8Array): boolean {
	return end - start <= MAX_PAUSE_HOPS && !isMusic.subarray(start, end).includes(1);
}

/** A pause with a slope at each end. */
function fillPause(
	curve: Float32Array,
	{ start, end }: IndexRange,
	[from, pauseDb, to]: readonly [number, number, number],
): void {
	const ramp = Math.min(RAMP_HOPS, (end - start) / 2);
	for (let hop = start; hop < end; hop++) {
		const after = Math.min(1, (hop + 1 - start) / (ramp + 1));
		const before = Math.min(1, (end - hop) / (ramp + 1));
		const fallen = from + (pauseDb - from) * after;
		const risen = to + (pauseDb - to) * before;
		// Without room for both slopes, they meet in the middle.
		curve[hop] = Math.max(fallen, risen, pauseDb);
	}
}
