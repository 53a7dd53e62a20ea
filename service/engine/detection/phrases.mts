import { firstFrom, HOPS_PER_SECOND } from '../signal/levels.mts';
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
