import type { SpokenWord } from '../shared/timeRanges.mts';

/** How far a token of the text may lie ahead of the word it belongs to. */
const LOOK_AHEAD_TOKENS = 5;

/** A word without case and punctuation, for comparing. */
function bare(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * The words with the case and punctuation of the running text: recognisers give words with times
 * bare and sentences without times. A word that is not found in the text stays as it is.
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
