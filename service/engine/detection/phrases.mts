import { firstFrom, HOPS_PER_SECOND, quantile } from '../signal/levels.mts';
import { runsOf, type Scene } from './scene.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';

/** Shorter gaps do not end a phrase, hops. */
const MAX_GAP_HOPS = 15;

/** People who talk say half of what they say in phrases of at least this length, hops. Words said alone are shorter. */
const MIN_PHRASE_HOPS = 120;

/** What is said within 15 s of a sound decides, hops. */
const REACH_HOPS = 15 * HOPS_PER_SECOND;

/**
 * Returns a function that says whether somebody talks around a sound. Around words said alone, as in a
 * vocabulary or a telephone menu, nothing shows that a word such as "a" or "eh" is no filler.
 */
export function amongPhrases({ isActive }: Scene): (sound: IndexRange) => boolean {
	const stretches = runsOf(isActive, MAX_GAP_HOPS);
	return (sound) => {
		let [inPhrases, alone] = [0, 0];
		// A recording may hold as many sounds as stretches: each looks at those near it only.
		const first = firstFrom(stretches, ({ end }) => end < sound.start - REACH_HOPS);
		for (let place = first; place < stretches.length; place++) {
			const { start, end } = stretches[place];
			if (start > sound.end + REACH_HOPS) break;
			const length = end - start;
			if (length >= MIN_PHRASE_HOPS) inPhrases += length;
			// The sound itself says nothing about how people talk.
			else if (start >= sound.end || end <= sound.start) alone += length;
		}
		return inPhrases > alone;
	};
}

/** The last and the next 3 s of voice show how high somebody speaks, hops. */
const VOICE_HOPS = 3 * HOPS_PER_SECOND;

/** People say "um" no more than this below or above four fifths of what they say, semitones. */
const MAX_OFF_SEMITONES = 1;
const FIFTH = 0.2;

/**
 * Whether a sound is lower or higher than most of the speech on both sides of it: somebody else answers "hmm"
 * while one person talks, and an answer is never cut.
 */
export function isAnswer(scene: Scene, { start, end }: IndexRange): boolean {
	const own = quantile(pitchesOf(scene, start, end), 0.5);
	const sides = [
		pitchesOf(scene, start - 1, start - 1 - REACH_HOPS),
		pitchesOf(scene, end, end + REACH_HOPS),
	].map((pitches) => pitches.slice(0, VOICE_HOPS));
	if (sides.some(({ length }) => length === 0)) return false;
	return (
		sides.every((side) => own < quantile(side, FIFTH) - MAX_OFF_SEMITONES) ||
		sides.every((side) => own > quantile(side, 1 - FIFTH) + MAX_OFF_SEMITONES)
	);
}

/** The pitches of the voice from one hop toward another, in semitones. */
export function pitchesOf({ isVoiced, denoised }: Scene, from: number, to: number): number[] {
	const pitches: number[] = [];
	const step = Math.sign(to - from);
	for (let hop = from; hop !== to; hop += step) {
		if (isVoiced[hop]) pitches.push(12 * Math.log2(denoised.pitchHz[hop] + 1));
	}
	return pitches;
}
