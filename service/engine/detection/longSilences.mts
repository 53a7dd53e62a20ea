import { MUSIC_DEPTH_DB, musicalHops } from './background.mts';
import {
	HIDDEN_END_HOPS,
	HIDING_DEPTH_DB,
	MIN_CONTRAST_DB,
	millisecondsOf,
	runsOf,
	sureOf,
	type Scene,
} from './scene.mts';
import {
	HOPS_PER_SECOND,
	meansAround,
	noiseFloorDb,
	nthSmallest,
	SILENCE_DB,
} from '../signal/levels.mts';
import { type EditLimits, guardSecondsOf, MIN_CUT_SECONDS } from '../../shared/editLimits.mts';
import type { IndexRange, TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';

/** Voicing is averaged over 0.3 s, as the levels are: the hops on each side. */
const VOICING_REACH_HOPS = 15;

/** How far the level of noise moves around its floor, dB. */
const RAW_MARGIN_DB = 9;

/** How far silence is below speech in the denoised signal, dB; the second figure when noise is left. */
const DENOISED_DEPTH_DB = 38;
const DENOISED_MIN_DEPTH_DB = 25;
const DENOISED_MARGIN_DB = 6;

/** Where the floor is this far below speech, what is heard stands out in level, too. */
const QUIET_DEPTH_DB = 40;

/**
 * Voices in the background are heard as voices. But a constant sound is no second speaker: where the level of
 * 0.3 s is within this of the local floor, and far enough below speech, nobody speaks.
 */
const STEADY_MARGIN_DB = 3.5;
/** Who speaks without a pause has no floor of 0.3 s; the gaps between the words have. */
const STEADY_MIN_MARGIN_DB = 7;
const STEADY_DEPTH_DB = 10;

/**
 * In noise that is hardly softer than the voice, a word that is heard raises the level of 0.3 s by at least
 * this. The noise reduction leaves nothing that is closer to speech.
 */
const STILL_MARGIN_DB = 1;
const STILL_DEPTH_DB = 18;

/**
 * A second speaker hardly louder than a fan does not stand out in level, and the noise reduction removes parts of
 * the voice. The rest repeats itself from period to period, over 0.3 s by this much. Where even the
 * pauses do so (music, hum, people talking), this is no sign of a second speaker. What is left of hum repeats itself
 * too, but is further below speech than any voice that is heard, dB.
 */
const MIN_VOICING = 135;
const MAX_VOICING_OF_PAUSES = 110;
const VOICE_DEPTH_DB = 30;

/**
 * An s in a fan's noise, or a soft word over hum, does not show in the level. In some of the bands it
 * stands out by this much for most of 90 ms, which is longer than a click. Over music or talk, this is
 * no sign of a word.
 */
const AUDIBLE_EXCESS_DB = 3;
const MIN_AUDIBLE_SHARE = 0.7;
const AUDIBLE_REACH_HOPS = 4;

/**
 * A clear silence is this much below the least depth, dB, and its cut this much longer than the shortest, s.
 * Somebody may have meant a short pause.
 */
const CLEAR_DEPTH_DB = 40;
const CLEAR_SECONDS = 1.5;

/** A sound no longer than this with stillness on both sides is a click, not a word. */
const CLICK_HOPS = 4;
const STILLNESS_HOPS = 25;

/**
 * Finds long silences. Precision comes first: a place counts as silent only if it is steady or holds only
 * music, or if the recording is near its local noise floor there AND the denoised signal holds nothing. The
 * first keeps faint voices that noise reduction swallows, the second keeps words in noise.
 *
 * @param isBusy 1 where the background is music or talk.
 * @returns what may be cut, in order and without overlap; at the recording's ends up to the end. How much of it is
 * to be cut, `inRhythm` says.
 */
export function findLongSilences(
	scene: Scene,
	isBusy: Uint8Array,
	limits: EditLimits,
): TimelineEdit[] {
	const { hops, rawDb: raw, denoisedDb: denoised, rawSpeechDb, denoisedSpeechDb } = scene;
	const rawFloor = scene.rawFloorDb;
	const rawLimit = rawLimits(rawFloor, rawSpeechDb);
	const denoisedLimit = denoisedLimits(denoised, denoisedSpeechDb);
	const isMusic = musicalHops(scene, isBusy);
	const isSteady = steadyHops(scene);
	const isVoiced = voicedHops(scene);
	const standsOut = Uint8Array.from(scene.rawExcessDb, (db) => Number(db >= AUDIBLE_EXCESS_DB));
	const audibleShare = meansAround(standsOut, AUDIBLE_REACH_HOPS);
	const isAudible = (hop: number) =>
		isVoiced[hop] === 1 || (!isBusy[hop] && audibleShare[hop] >= MIN_AUDIBLE_SHARE);
	const isSilentAt = (hop: number) => {
		if (rawFloor[hop] > rawSpeechDb - QUIET_DEPTH_DB && isAudible(hop)) return false;
		if (isSteady[hop] || isMusic[hop]) return true;
		return raw[hop] < rawLimit[hop] && denoised[hop] < denoisedLimit[hop];
	};
	const isSilent = Uint8Array.from({ length: hops }, (_, hop) => Number(isSilentAt(hop)));
	const stretches = runsOf(withoutClicks(withoutSoftEnds(isSilent, isMusic, scene)));
	return stretches
		.filter(({ start, end }) => end - start >= limits.longSilenceSeconds * HOPS_PER_SECOND)
		.map((stretch) => editOf(scene, stretch, limits))
		.filter((edit) => millisecondsOf(edit) >= MIN_CUT_SECONDS * 1000);
}

function rawLimits(floor: Float32Array, speechDb: number): Float32Array {
	// Digital silence between words would put the floor at the bottom and the room's noise above it.
	const minFloorDb = speechDb - 60;
	return floor.map((floorDb) =>
		Math.min(Math.max(floorDb, minFloorDb) + RAW_MARGIN_DB, speechDb - MIN_CONTRAST_DB),
	);
}

function denoisedLimits(denoised: Float32Array, speechDb: number): Float32Array {
	const usualDb = speechDb - DENOISED_DEPTH_DB;
	return noiseFloorDb(denoised).map((floorDb) =>
		Math.max(usualDb, Math.min(floorDb + DENOISED_MARGIN_DB, speechDb - DENOISED_MIN_DEPTH_DB)),
	);
}

/** Marks the hops of steady stretches, as far as these reach. */
function steadyHops(scene: Scene): Uint8Array {
	const { rawAverageDb, rawFloorDb, rawSpeechDb, denoisedDb, denoisedSpeechDb } = scene;
	const floor = noiseFloorDb(rawAverageDb);
	const denoisedFloor = noiseFloorDb(denoisedDb);
	return Uint8Array.from(rawAverageDb, (level, hop) => {
		if (level >= rawFloorDb[hop] + STEADY_MIN_MARGIN_DB) return 0;
		if (level < Math.min(floor[hop] + STEADY_MARGIN_DB, rawSpeechDb - STEADY_DEPTH_DB)) return 1;
		const stillDb = Math.min(
			denoisedFloor[hop] + DENOISED_MARGIN_DB,
			denoisedSpeechDb - STILL_DEPTH_DB,
		);
		return Number(level < floor[hop] + STILL_MARGIN_DB && denoisedDb[hop] < stillDb);
	});
}

/** Marks the hops in which a voice is heard through the noise. */
function voicedHops({ denoised, denoisedAverageDb, denoisedSpeechDb }: Scene): Uint8Array {
	const means = meansAround(denoised.voicing, VOICING_REACH_HOPS);
	const pauses = noiseFloorDb(means);
	return Uint8Array.from(means, (mean, hop) =>
		Number(
			mean >= MIN_VOICING &&
				pauses[hop] <= MAX_VOICING_OF_PAUSES &&
				denoisedAverageDb[hop] >= denoisedSpeechDb - VOICE_DEPTH_DB,
		),
	);
}

/**
 * The same without what stands out from its own stretch, with the noise or without it. Where people hardly pause,
 * the local floor is as loud as the soft ends of their words.
 */
function withoutSoftEnds(isSilent: Uint8Array, isMusic: Uint8Array, scene: Scene): Uint8Array {
	const { rawDb, rawSpeechDb, denoisedDb, denoisedSpeechDb } = scene;
	const result = isSilent.slice();
	for (const stretch of runsOf(isSilent)) {
		const rawLimit = limitWithin(stretch, rawDb, rawSpeechDb - DENOISED_DEPTH_DB);
		const denoisedLeast = denoisedSpeechDb - DENOISED_MIN_DEPTH_DB;
		const denoisedLimit = limitWithin(stretch, denoisedDb, denoisedLeast);
		for (let hop = stretch.start; hop < stretch.end; hop++) {
			const isSound = rawDb[hop] > rawLimit || denoisedDb[hop] > denoisedLimit;
			if (isSound && !isMusic[hop]) result[hop] = 0;
		}
	}
	return result;
}

/** How loud a stretch may be, by its own floor. */
function limitWithin(stretch: IndexRange, levels: Float32Array, minDb: number): number {
	return Math.max(floorWithin(stretch, levels) + RAW_MARGIN_DB, minDb);
}

/** What the softest quarter of a stretch stays below, dB. */
function floorWithin({ start, end }: IndexRange, levels: Float32Array): number {
	return nthSmallest(levels.slice(start, end), (end - start) >> 2) ?? SILENCE_DB;
}

/** The same with short lone sounds taken for silence. */
function withoutClicks(isSilent: Uint8Array): Uint8Array {
	const runs = runsOf(isSilent);
	const result = isSilent.slice();
	runs.forEach(({ start, end }, index) => {
		if (index + 1 === runs.length) return;
		const next = runs[index + 1];
		const isStillAround = end - start >= STILLNESS_HOPS && next.end - next.start >= STILLNESS_HOPS;
		if (isStillAround && next.start - end <= CLICK_HOPS) result.fill(1, end, next.start);
	});
	return result;
}

/** What may be cut of a stretch. */
function editOf(scene: Scene, stretch: IndexRange, limits: EditLimits): TimelineEdit {
	const guardSeconds = guardSecondsOf(limits);
	const isLoud = floorWithin(stretch, scene.rawDb) > scene.rawSpeechDb - HIDING_DEPTH_DB;
	const afterWord = guardSeconds + (isLoud ? HIDDEN_END_HOPS / HOPS_PER_SECOND : 0);
	const cut = cutOf(stretch, scene.hops, afterWord, guardSeconds);
	const minSeconds = limits.longSilenceSeconds - afterWord - guardSeconds;
	const longerSeconds = cut.endSeconds - cut.startSeconds - minSeconds;
	const sure = sureOf([depthMargin(scene, cut), longerSeconds / CLEAR_SECONDS]);
	return { ...cut, kind: 'long_silence', sure };
}

function cutOf(
	{ start, end }: IndexRange,
	hops: number,
	afterWordSeconds: number,
	beforeWordSeconds: number,
) {
	// Nothing follows the pause after the last word: keep all of it there.
	const isLast = end === hops;
	const kept = (start === 0 ? 0 : afterWordSeconds) + (isLast ? beforeWordSeconds : 0);
	return {
		startSeconds: start / HOPS_PER_SECOND + kept,
		endSeconds: end / HOPS_PER_SECOND - (isLast ? 0 : beforeWordSeconds),
	};
}

/** How far a cut is beyond the least depth below speech that the loudest moment of a silence must have. */
function depthMargin({ denoisedDb, denoisedSpeechDb }: Scene, cut: TimeRange): number {
	const [start, end] = [cut.startSeconds, cut.endSeconds].map((it) => it * HOPS_PER_SECOND);
	const loudest = denoisedDb
		.subarray(Math.ceil(start), Math.floor(end))
		.reduce((a, b) => Math.max(a, b), -Infinity);
	return (denoisedSpeechDb - loudest - MUSIC_DEPTH_DB) / CLEAR_DEPTH_DB;
}
