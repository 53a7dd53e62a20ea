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
import { phrasesOf, steadyLevels, type Phrase } from './phraseLevels.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/** Voices this much apart stay as they are, dB: one speaker varies by as much. */
const MAX_DIFFERENCE_DB = 6;

/** A voice is raised to this much below the loudest, dB, and by no more than this. */
const REMAINING_DIFFERENCE_DB = 3;
const MAX_GAIN_DB = 12;

/** The noise between raised words stays this much below the loudest voice, dB. */
const MIN_NOISE_DEPTH_DB = 25;

/** Who speaks for less than this share of the time does not set the level. */
const MIN_SHARE = 0.05;

/**
 * What a change of level costs, in dB times seconds of speech: first, a voice 12 dB softer shows
 * once it speaks for 3.4 s. Then turns of that voice count from 1.7 s on.
 */
const FIRST_CHANGE_COST = 20;
const LATER_CHANGE_COST = 10;

/** The levels considered for voices, dB against the speech level of the recording. */
const LEVELS_DB = Array.from({ length: 31 }, (_, index) => 6 - index);

/**
 * Plans how to raise the turns of speakers much softer than the loudest on the same track. Gains
 * change only in pauses.
 *
 * @param music is left as it is.
 * @param share of what is missing, from 0 to 1.
 * @returns an amplitude factor for every hop of the profile, or null if nobody is raised.
 */
export function turnGains(
	{ energies }: LevelProfile,
	music: readonly TimeRange[] = [],
	share = 1,
): Float32Array | null {
	const levels = smoothed(energies.map(energyDb), 2);
	const isMusic = musicHops(levels.length, music);
	const speechDb = speechLevelDb(levels.filter((_, hop) => !isMusic[hop]));
	const floor = noiseFloorDb(levels);
	const phrases = phrasesOf(levels, floor, isMusic, speechDb);
	const candidates = LEVELS_DB.map((level) => speechDb + level);
	const found = new Set(steadyLevels(phrases, candidates, FIRST_CHANGE_COST));
	const voices = steadyLevels(phrases, [...found], LATER_CHANGE_COST);
	const loudestDb = loudestVoiceDb(phrases, voices);
	const gains = phrases.map(({ start, levelDb }, index) => {
		const differenceDb = loudestDb - voices[index];
		if (differenceDb <= MAX_DIFFERENCE_DB) return 0;
		const wantedDb = Math.min(differenceDb - REMAINING_DIFFERENCE_DB, MAX_GAIN_DB);
		const noiseRoomDb = loudestDb - MIN_NOISE_DEPTH_DB - floor[start];
		// A phrase as loud as the loudest voice in a softer turn may be that voice, interrupting.
		return share * Math.max(0, Math.min(wantedDb, noiseRoomDb, loudestDb - levelDb));
	});
	if (gains.every((gain) => gain === 0)) return null;
	return curveOf(phrases, gains, isMusic).map(factorOf);
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

/** The level of the loudest voice that speaks for long enough, dB. */
function loudestVoiceDb(phrases: readonly Phrase[], voices: readonly number[]): number {
	const order = [...phrases.keys()].sort((a, b) => voices[b] - voices[a]);
	let left = MIN_SHARE * phrases.reduce((sum, { speechSeconds }) => sum + speechSeconds, 0);
	for (const index of order) {
		left -= phrases[index].speechSeconds;
		if (left <= 0) return voices[index];
	}
	return -Infinity;
}

function musicHops(hops: number, music: readonly TimeRange[]): Uint8Array {
	const isMusic = new Uint8Array(hops);
	for (const { startSeconds, endSeconds } of music) {
		const end = Math.ceil(endSeconds * HOPS_PER_SECOND);
		isMusic.fill(1, Math.floor(startSeconds * HOPS_PER_SECOND), end);
	}
	return isMusic;
}

/** Gains in dB, constant within phrases and in music, and a slope from one to the next. */
function curveOf(phrases: readonly Phrase[], gains: readonly number[], isMusic: Uint8Array) {
	const curve = new Float32Array(isMusic.length);
	const fixed = isMusic.slice();
	phrases.forEach(({ start, end }, index) => {
		curve.fill(gains[index], start, end);
		fixed.fill(1, start, end);
	});
	let last = -1;
	for (let hop = 0; hop <= curve.length; hop++) {
		if (hop < curve.length && !fixed[hop]) continue;
		const from = last < 0 ? (curve[hop] ?? 0) : curve[last];
		const to = curve[hop] ?? from;
		for (let between = last + 1; between < hop; between++) {
			curve[between] = from + ((to - from) * (between - last)) / (hop - last);
		}
		last = hop;
	}
	return curve;
}
