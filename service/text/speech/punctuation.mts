import type { SpokenWord } from '../../shared/timeRanges.mts';

/** How many tokens ahead in the text to search for a word. */
const LOOK_AHEAD_TOKENS = 5;

/** Returns a word without case and punctuation, for comparison. */
export function bare(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Gives the words the case and punctuation of the running text, because recognizers return timed
 * words bare, and punctuated sentences without times. A word not found in the text is unchanged.
 */
export function punctuated(words: readonly SpokenWord[], text: string): SpokenWord[] {
	const tokens = text.split(/\s+/).filter((token) => bare(token) !== '');
	let next = 0;
	return words.map((word) => {
		const wanted = bare(word.text);
		const ahead = tokens.slice(next, next + LOOK_AHEAD_TOKENS).map(bare);
		const found = wanted === '' ? -1 : ahead.indexOf(wanted);
		if (found < 0) return word;
		const token = tokens[next + found];
		next += found + 1;
		return { ...word, text: token };
	});
}
