import {
	HOPS_PER_SECOND,
	noiseFloorDb,
	nthSmallest,
	smoothed,
	speechLevelDb,
} from '../signal/levels.mts';
import { excessDb } from './excess.mts';
import type { SignalFeatures } from './features.mts';
import { glidesOf } from './glides.mts';
import type { EditKind, IndexRange, TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';

/** Features of the recording as it came and of the same after noise reduction. */
export interface AnalysisFeatures {
	raw: SignalFeatures;
	denoised: SignalFeatures;
}

/** What all detectors look at. */
export interface Scene extends AnalysisFeatures {
	hops: number;
	/** Levels a little smoothed, dBFS. */
	rawDb: Float32Array;
	denoisedDb: Float32Array;
	rawFloorDb: Float32Array;
	/** The levels over 0.3 s, dBFS. */
	rawAverageDb: Float32Array;
	denoisedAverageDb: Float32Array;
	/** How loud speech is, dBFS. */
	rawSpeechDb: number;
	denoisedSpeechDb: number;
	/** The same without its lows. */
	edgeSpeechDb: number;
	/** 1 where the denoised signal holds a sound. */
	isActive: Uint8Array;
	/** 1 where that sound is voiced and as loud as speech. */
	isVoiced: Uint8Array;
	/** 1 in words: around what is voiced as far as the sound goes on, and a little further. */
	isSpeech: Uint8Array;
	/** 1 where the pitch glides, see `glidesOf`. */
	glides: Uint8Array;
	/** How far the recording as it came stands out from the local noise, dB over the bands. */
	rawExcessDb: Float32Array;
}

/** A recording whose speech is no louder than this holds none, dBFS. */
export const FAINTEST_SPEECH_DB = -70;

/** Speech stands out from the noise by at least this much, or only what is steady is taken for silence. */
export const MIN_CONTRAST_DB = 12;

/** Averages are over 0.3 s: the hops on each side. */
const AVERAGE_REACH_HOPS = 15;

/** A sound is at most this far below speech, and at least this far above the noise that is left, dB. */
const ACTIVE_DEPTH_DB = 36;
const ACTIVE_MARGIN_DB = 8;

/** A voice is no more than this below speech, and this much like itself a period later (of 255). */
const VOICED_DEPTH_DB = 28;
const MIN_VOICING = 140;

export function sceneOf({ raw, denoised }: AnalysisFeatures): Scene {
	const rawDb = smoothed(raw.levels, 1);
	const rawFloorDb = noiseFloorDb(rawDb);
	const rawAverageDb = smoothed(rawDb, AVERAGE_REACH_HOPS);
	// Where nothing was denoised, both are the same.
	const isSame = raw === denoised;
	const denoisedDb = isSame ? rawDb : smoothed(denoised.levels, 1);
	const denoisedSpeechDb = speechLevelDb(denoisedDb);
	const denoisedFloorDb = isSame ? rawFloorDb : noiseFloorDb(denoisedDb);
	const hops = Math.min(raw.hops, denoised.hops);
	const isActive = new Uint8Array(hops);
	const isVoiced = new Uint8Array(hops);
	for (let hop = 0; hop < hops; hop++) {
		const level = denoisedDb[hop];
		const limit = Math.max(
			denoisedSpeechDb - ACTIVE_DEPTH_DB,
			Math.min(denoisedFloorDb[hop] + ACTIVE_MARGIN_DB, denoisedSpeechDb - 22),
		);
		isActive[hop] = Number(level > limit);
		const isLoud = level > denoisedSpeechDb - VOICED_DEPTH_DB;
		isVoiced[hop] = Number(isLoud && denoised.voicing[hop] >= MIN_VOICING);
	}
	return {
		raw,
		denoised,
		hops,
		rawDb,
		denoisedDb,
		denoisedSpeechDb,
		isActive,
		isVoiced,
		isSpeech: speechOf(isActive, isVoiced),
		rawExcessDb: excessDb(raw),
		rawFloorDb,
		rawAverageDb,
		denoisedAverageDb: isSame ? rawAverageDb : smoothed(denoisedDb, AVERAGE_REACH_HOPS),
		glides: glidesOf(denoised),
		rawSpeechDb: speechLevelDb(rawDb),
		edgeSpeechDb: speechLevelDb(raw.edges),
	};
}

/** Consonants reach at most this far from a voiced sound, if there is no gap. */
const CONSONANT_HOPS = 16;

/** What is voiced for less than this is no vowel: a click rings for as long. */
const MIN_VOICED_HOPS = 6;

function speechOf(isActive: Uint8Array, isVoiced: Uint8Array): Uint8Array {
	const isSpeech = new Uint8Array(isActive.length);
	for (const { start, end } of runsOf(isVoiced, 2)) {
		if (countOf(isVoiced, start, end) < MIN_VOICED_HOPS) continue;
		let first = start;
		while (first > Math.max(0, start - CONSONANT_HOPS) && isActive[first - 1]) first--;
		let last = end;
		while (last < Math.min(isActive.length, end + CONSONANT_HOPS) && isActive[last]) last++;
		isSpeech.fill(1, first, last);
	}
	return isSpeech;
}

/** The stretches of hops that are marked, joined where no more than `bridge` hops lie between. */
export function runsOf(marks: Uint8Array, bridge = 0): IndexRange[] {
	const runs: IndexRange[] = [];
	for (let hop = 0; hop < marks.length; hop++) {
		if (!marks[hop]) continue;
		const last = runs.at(-1);
		if (last && hop - last.end <= bridge) last.end = hop + 1;
		else runs.push({ start: hop, end: hop + 1 });
	}
	return runs;
}

/** How many of the hops from `start` up to `end` are marked. */
export function countOf(marks: Uint8Array, start: number, end: number): number {
	let count = 0;
	for (let hop = Math.max(0, start); hop < Math.min(marks.length, end); hop++) count += marks[hop];
	return count;
}

/** Returns how long a stretch is, in whole milliseconds: a difference of two times is rarely exact. */
export function millisecondsOf({ startSeconds, endSeconds }: TimeRange): number {
	return Math.round((endSeconds - startSeconds) * 1000);
}

/** Returns the edit of a stretch of hops; `margins` as for `sureOf`. */
export function editAt(kind: EditKind, hops: IndexRange, margins: readonly number[]): TimelineEdit {
	return {
		kind,
		startSeconds: hops.start / HOPS_PER_SECOND,
		endSeconds: hops.end / HOPS_PER_SECOND,
		sure: sureOf(margins),
	};
}

/**
 * Returns how sure a detector is: the smallest of its margins, with two decimals. A margin is how far a
 * figure is beyond its limit, as a share of what a clear case is beyond it. It changes no cut.
 */
export function sureOf(margins: readonly number[]): number {
	return Math.round(Math.max(0, Math.min(1, ...margins)) * 100) / 100;
}

/** In a steady recording what stands out of the pauses are breaths and clicks: no more of it counts as unrest. */
export const MAX_UNREST_DB = 6;

/** How far the pauses stand out from their own floor for a share of the time: music, a room full of people. */
export function pauseUnrestDb({ isSpeech, rawExcessDb }: Scene, share: number): number {
	const pauses = rawExcessDb.filter((_, hop) => !isSpeech[hop]);
	return nthSmallest(pauses, Math.floor(share * pauses.length)) ?? 0;
}

/** What is softer than this below a track's own speech may be the neighbor in its microphone, dB. */
const OWN_VOICE_DEPTH_DB = 27;

/** On a track whose denoised sound is no louder than this nobody speaks, dBFS. */
const FAINTEST_VOICE_DB = -60;

/** Soft beginnings and endings reach at most this far from a loud sound. */
export const SOFT_HOPS = 15;

/** Noise or music that is at most this far below speech hides the soft end of a word, dB, of this length. */
export const HIDING_DEPTH_DB = 22;
export const HIDDEN_END_HOPS = 15;

/** For every hop, 1 where somebody speaks into this track, and not only into another one nearby. */
export function ownVoiceOf(scene: Scene): Uint8Array {
	const { hops, isActive, denoisedDb, denoisedSpeechDb } = scene;
	const ownVoice = new Uint8Array(hops);
	// In a room without voices the loudest noises would count as speech.
	if (denoisedSpeechDb < FAINTEST_VOICE_DB) return ownVoice;
	for (let hop = 0; hop < hops; hop++) {
		if (!isActive[hop] || denoisedDb[hop] < denoisedSpeechDb - OWN_VOICE_DEPTH_DB) continue;
		const isHidden = scene.rawFloorDb[hop] > scene.rawSpeechDb - HIDING_DEPTH_DB;
		const endHops = SOFT_HOPS + (isHidden ? HIDDEN_END_HOPS : 0);
		ownVoice.fill(1, Math.max(0, hop - SOFT_HOPS), hop + endHops);
	}
	return ownVoice;
}
