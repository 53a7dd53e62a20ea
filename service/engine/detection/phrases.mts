import { firstFrom, HOPS_PER_SECOND, quantile } from '../signal/levels.mts';
import { runsOf, type Scene } from './scene.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';

/** Shorter gaps do not end a phrase, hops. */
const LONGEST_GAP_HOPS = 15;

/** People who talk say half of what they say in phrases of at least this length, hops. Words said alone are shorter. */
const SHORTEST_PHRASE_HOPS = 120;

/** What is said within 15 s of a sound decides, hops. */
const REACH_HOPS = 15 * HOPS_PER_SECOND;

/**
 * Returns a function that says whether somebody talks around a sound. Around words said alone, as in a
 * vocabulary or a telephone menu, nothing shows that a word such as "a" or "eh" is no filler.
 */
export function amongPhrases({ isActive }: Scene): (sound: IndexRange) => boolean {
	const stretches = runsOf(isActive, LONGEST_GAP_HOPS);
	return (sound) => {
		let [inPhrases, alone] = [0, 0];
		// A recording may hold as many sounds as stretches: each looks at those near it only.
		const first = firstFrom(stretches, ({ end }) => end < sound.start - REACH_HOPS);
		for (let place = first; place < stretches.length; place++) {
			const { start, end } = stretches[place];
			if (start > sound.end + REACH_HOPS) break;
			const length = end - start;
			if (length >= SHORTEST_PHRASE_HOPS) inPhrases += length;
			// The sound itself says nothing about how people talk.
			else if (start >= sound.end || end <= sound.start) alone += length;
		}
		return inPhrases > alone;
	};
}

/** The last and the next 2 s of voice show how high somebody speaks, hops. */
const VOICE_HOPS = 2 * HOPS_PER_SECOND;

/** Nobody says "um" this far above or below their own sentences, semitones. */
const MOST_OFF_SEMITONES = 5;

/**
 * Whether a sound is much higher or much lower than the speech on both sides of it: somebody else answers
 * "hmm" while one person talks, and an answer is never cut.
 */
export function isAnswer(scene: Scene, { start, end }: IndexRange): boolean {
	const own = middlePitchOf(scene, start, end);
	const before = own - middlePitchOf(scene, start - 1, start - REACH_HOPS);
	const after = own - middlePitchOf(scene, end, end + REACH_HOPS);
	return before * after > 0 && Math.min(Math.abs(before), Math.abs(after)) > MOST_OFF_SEMITONES;
}

/** The median pitch of the first 2 s of voice from one hop towards another, in semitones; NaN without a voice. */
function middlePitchOf({ isVoiced, denoised }: Scene, from: number, to: number): number {
	const pitches: number[] = [];
	const step = Math.sign(to - from);
	for (let hop = from; hop !== to && pitches.length < VOICE_HOPS; hop += step) {
		if (isVoiced[hop]) pitches.push(semitonesOf(denoised.pitchHz[hop]));
	}
	return pitches.length > 0 ? quantile(pitches, 0.5) : NaN;
}

/** A pitch in semitones above 1 Hz. */
export function semitonesOf(pitchHz: number): number {
	return 12 * Math.log2(pitchHz + 1);
}
