import { endsSentence } from '../../shared/sentenceEnd.mts';
import type { SpokenWord } from '../../shared/timeRanges.mts';

/** A recognizer may write a sound in brackets, as "(hm)". */
const BRACKETED = /^\s*[([*].*[)\]*]\s*$/u;

/** A sentence goes on after this in lower case, or with "I": "I was... um... going". */
const ELLIPSIS = /…|\.\./u;
const LOWER_CASE = /^\P{L}*(?:\p{Ll}|I(?!\p{L}))/u;

const SPOKEN = /[\p{L}\p{N}]/u;

/** Whether a word is a sentence of its own, as an answer is that somebody gives while another person talks. */
export function isOwnSentence(words: readonly SpokenWord[], at: number): boolean {
	return BRACKETED.test(words[at].text) || (isBorder(words, at) && isBorder(words, at + 1));
}

/** Whether a sentence begins with a word, or ends before it. In French, "!" and dashes are words of their own. */
function isBorder(words: readonly SpokenWord[], at: number): boolean {
	let last = at - 1;
	while (last >= 0 && !SPOKEN.test(words[last].text)) last--;
	if (last < 0) return true;
	let next = at;
	while (next < words.length && !SPOKEN.test(words[next].text)) next++;
	const goesOn = next < words.length && LOWER_CASE.test(words[next].text);
	const ends = words.slice(last, next).map(({ text }) => text);
	return (
		BRACKETED.test(ends[0]) ||
		ends.some((text) => endsSentence(text) && !(goesOn && ELLIPSIS.test(text)))
	);
}
