import type { SpokenWord } from './timeRanges.mts';

/** How long a word lasts at most: recognizers count a pause as a part of the word before it. */
const MAX_WORD_SECONDS = { fixed: 0.4, letter: 0.12, digit: 0.4 };

/** How long a filler lasts at most: nobody holds a sound for longer without meaning it. */
export const MAX_FILLER_SECONDS = 2;

/** How long a word can be said, in seconds. A digit is a word of its own: "2026" has as many as "two zero two six". */
export function maxSecondsOf(text: string): number {
	const digits = text.replace(/\P{N}/gu, '').length;
	const { fixed, letter, digit } = MAX_WORD_SECONDS;
	return fixed + letter * (text.length - digits) + digit * digits;
}

/** Ends a word that lasts longer than it can be said: what follows is a pause, or words that were not recognized. */
export function withoutPause(word: SpokenWord): SpokenWord {
	const latest = word.startSeconds + maxSecondsOf(word.text);
	return { ...word, endSeconds: Math.min(word.endSeconds, latest) };
}
