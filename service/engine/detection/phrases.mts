import { HOPS_PER_SECOND } from '../signal/levels.mts';
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
		for (const { start, end } of stretches) {
			if (end < sound.start - REACH_HOPS || start > sound.end + REACH_HOPS) continue;
			// The sound itself says nothing about how people talk.
			if (start < sound.end && end > sound.start && end - start < SHORTEST_PHRASE_HOPS) continue;
			if (end - start >= SHORTEST_PHRASE_HOPS) inPhrases += end - start;
			else alone += end - start;
		}
		return inPhrases > alone;
	};
}
