import type { SpokenWord } from '../../../shared/timeRanges.mts';
import { bare } from '../punctuation.mts';

/** A recognizer in a loop repeats up to this many words at least this often. */
const MAX_LOOP_WORDS = 8;
const MIN_TIMES = 4;

/** Nobody says a word in less, seconds. */
const MIN_WORD = { fixed: 0.04, letter: 0.025 };

/**
 * Returns words without those of a loop that nobody can have said: they lie on no sound, or are faster than anyone
 * speaks. What somebody does say many times stays.
 */
export function withoutLoops(words: readonly SpokenWord[]): SpokenWord[] {
	const kept: SpokenWord[] = [];
	for (let at = 0; at < words.length; ) {
		const loop = loopAt(words, at);
		if (loop === undefined) {
			kept.push(words[at++]);
			continue;
		}
		const repeated = words.slice(at, at + loop.length * loop.times);
		kept.push(...(isSayable(repeated) ? repeated : repeated.slice(0, loop.length)));
		at += repeated.length;
	}
	return kept;
}

/** The shortest sequence of words that is repeated from a place on, and how often. */
function loopAt(words: readonly SpokenWord[], at: number) {
	for (let length = 1; length <= MAX_LOOP_WORDS; length++) {
		let same = 0;
		while (isSame(words.at(at + same), words.at(at + same + length))) same++;
		const times = 1 + Math.floor(same / length);
		if (times >= MIN_TIMES) return { length, times };
	}
	return undefined;
}

function isSame(one: SpokenWord | undefined, other: SpokenWord | undefined): boolean {
	return one !== undefined && other !== undefined && bare(one.text) === bare(other.text);
}

function isSayable(words: readonly SpokenWord[]): boolean {
	let [seconds, needed] = [0, 0];
	for (const { text, startSeconds, endSeconds, isGuessed = false } of words) {
		if (!isGuessed) seconds += endSeconds - startSeconds;
		needed += MIN_WORD.fixed + MIN_WORD.letter * bare(text).length;
	}
	return seconds >= needed;
}
