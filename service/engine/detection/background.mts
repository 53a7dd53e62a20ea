import { HOPS_PER_SECOND, meansAround, quantile } from '../signal/levels.mts';
import { GLIDE_MIN_VOICING } from './glides.mts';
import { countOf, MIN_CONTRAST_DB, type Scene } from './scene.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/** Voicing of a voice or an instrument, of 255. */
const MIN_VOICING = 125;

/**
 * A busy background is voiced in this share of the pauses, and for a quarter of the time it is this
 * far above its own floor, dB.
 */
const MIN_VOICED_SHARE = 0.3;
const MIN_UNREST_DB = 1.2;

/**
 * Music that is as loud as a soft voice counts as words, and leaves no pauses. But it fills this share of the
 * stretches of 0.3 s that are this far below speech, dB. The ends of words and their echoes fill less.
 */
const MIN_VOICED_SHARE_OF_SOFT = 0.6;
const SOFT_DEPTH_DB = 14;

/** Every 5 s, the pauses within 20 s decide. */
const REACH_HOPS = 20 * HOPS_PER_SECOND;
const STEP_HOPS = 5 * HOPS_PER_SECOND;

/** If the pauses nearby are shorter than this in total, those of the whole recording decide. */
const MIN_HOPS = 100;

/** Next to a word, its echo and its soft beginning are voiced too, hops. */
const AFTER_WORD_HOPS = 25;
const BEFORE_WORD_HOPS = 5;

/**
 * A jingle between two sentences is judged by 2 s before a sound and 2 s after it. One of them is music if it has
 * this many voiced hops, and fewer of them glide than this share of what is usual in the recording. Where
 * no more than this glides anyway, a voice is too even to differ from music.
 */
const BESIDE_HOPS = 2 * HOPS_PER_SECOND;
const MIN_VOICED_HOPS = 70;
const MAX_OF_USUAL_GLIDING = 0.2;
const EVEN_GLIDING = 0.3;

/**
 * Music under the voice passes the noise reduction. Where the background is busy, a stretch is only music if
 * 0.3 s are this much below speech, also after the reduction. Besides, voices glide and stand out in many
 * bands: it is within 0.3 s of a place where 1.2 s do little of both.
 */
export const MUSIC_DEPTH_DB = 14;
const MAX_GLIDING_SHARE = 0.08;
const MAX_EXCESS_DB = 6;
const VOICE_REACH_HOPS = 60;
const HELD_REACH_HOPS = 30;

/** Where the floor is this far below speech, no music plays: a soft tone is the end of a word, or its echo. */
const CLEAN_DEPTH_DB = 50;

/**
 * Returns 1 for every hop where the background is neither still nor steady noise: music, or people
 * talking. There, the background sounds like a speaker's sounds between words. Hum is voiced
 * but steady, so it does not count.
 */
export function busyBackground(scene: Scene): Uint8Array {
	const isBusy = new Uint8Array(scene.hops);
	markBusy(isBusy, scene, pausesOf(scene), MIN_VOICED_SHARE);
	markBusy(isBusy, scene, softHopsOf(scene), MIN_VOICED_SHARE_OF_SOFT);
	return isBusy;
}

/** @param pauses hops without words, in order. */
function markBusy(
	isBusy: Uint8Array,
	scene: Scene,
	pauses: readonly number[],
	minVoicedShare: number,
): void {
	const isBusyAtAll = isBusyIn(scene, pauses, minVoicedShare);
	let [from, to] = [0, 0];
	for (let start = 0; start < scene.hops; start += STEP_HOPS) {
		const middle = start + STEP_HOPS / 2;
		while (pauses[from] < middle - REACH_HOPS) from++;
		while (pauses[to] <= middle + REACH_HOPS) to++;
		const near = pauses.slice(from, to);
		const isBusyHere = near.length < MIN_HOPS ? isBusyAtAll : isBusyIn(scene, near, minVoicedShare);
		if (isBusyHere) isBusy.fill(1, start, start + STEP_HOPS);
	}
}

function softHopsOf({ rawAverageDb, rawSpeechDb }: Scene): number[] {
	const hops: number[] = [];
	rawAverageDb.forEach((level, hop) => {
		if (level < rawSpeechDb - SOFT_DEPTH_DB) hops.push(hop);
	});
	return hops;
}

/** Returns the hops that are not near words, in order. */
function pausesOf({ hops, isSpeech }: Scene): number[] {
	const pauses: number[] = [];
	let lastSpoken = -Infinity;
	for (let hop = 0; hop < hops; hop++) {
		if (isSpeech[hop]) {
			lastSpoken = hop;
			while (pauses.length > 0 && hop - pauses[pauses.length - 1] < BEFORE_WORD_HOPS) pauses.pop();
		} else if (hop - lastSpoken > AFTER_WORD_HOPS) pauses.push(hop);
	}
	return pauses;
}

function isBusyIn(
	{ raw, rawExcessDb }: Scene,
	pauses: readonly number[],
	minVoicedShare: number,
): boolean {
	if (pauses.length === 0) return false;
	const voiced = pauses.filter((hop) => raw.voicing[hop] >= MIN_VOICING).length;
	if (voiced < minVoicedShare * pauses.length) return false;
	const excess = pauses.map((hop) => rawExcessDb[hop]);
	return quantile(excess, 0.75) >= MIN_UNREST_DB;
}

/** Marks the hops in which nobody speaks, although music plays. */
export function musicalHops(scene: Scene, isBusy: Uint8Array): Uint8Array {
	const { rawDb, rawAverageDb, rawFloorDb, rawSpeechDb } = scene;
	const { denoisedAverageDb, denoisedSpeechDb } = scene;
	const glidingShare = meansAround(scene.glides, VOICE_REACH_HOPS);
	const holdsNotes = new Uint8Array(scene.hops);
	meansAround(scene.rawExcessDb, VOICE_REACH_HOPS).forEach((excess, hop) => {
		if (excess >= MAX_EXCESS_DB || glidingShare[hop] >= MAX_GLIDING_SHARE) return;
		holdsNotes.fill(1, Math.max(0, hop - HELD_REACH_HOPS), hop + HELD_REACH_HOPS + 1);
	});
	return Uint8Array.from(rawAverageDb, (level, hop) =>
		Number(
			isBusy[hop] === 1 &&
				rawFloorDb[hop] > rawSpeechDb - CLEAN_DEPTH_DB &&
				level < rawSpeechDb - MUSIC_DEPTH_DB &&
				rawDb[hop] < rawSpeechDb - MIN_CONTRAST_DB &&
				denoisedAverageDb[hop] < denoisedSpeechDb - MUSIC_DEPTH_DB &&
				holdsNotes[hop] === 1,
		),
	);
}

/** Returns a function that says whether a sound is part of music or next to it. */
export function besideMusic(scene: Scene): (sound: TimeRange) => boolean {
	const { denoised, isVoiced, glides } = scene;
	const isPitched = isVoiced.map(
		(mark, hop) => mark & Number(denoised.voicing[hop] >= GLIDE_MIN_VOICING),
	);
	const glidingIn = (start: number, end: number) =>
		countOf(glides, start, end) / countOf(isPitched, start, end);
	const usual = glidingIn(0, scene.hops);
	const maxGliding = usual > EVEN_GLIDING ? MAX_OF_USUAL_GLIDING * usual : 0;
	const isMusic = (start: number, end: number) =>
		countOf(isPitched, start, end) >= MIN_VOICED_HOPS && glidingIn(start, end) < maxGliding;
	return ({ startSeconds, endSeconds }) => {
		const [start, end] = [startSeconds, endSeconds].map((it) => Math.round(it * HOPS_PER_SECOND));
		return isMusic(start - BESIDE_HOPS, start) || isMusic(end, end + BESIDE_HOPS);
	};
}
