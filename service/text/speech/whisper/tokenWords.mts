import type { SpokenWord } from '../../../shared/timeRanges.mts';
import type { RecognisedPiece } from './recogniserPackage.mts';

/** Scripts without spaces between words: here, each token counts as one. */
const UNSPACED =
	/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Notes of the recogniser, such as `[Music]`, `(coughs)`, `*sighs*` and `♪`. */
const NOTE_STARTS = /^[[(*♪]/u;
const NOTE_ENDS = /[\])*♪][.,!?]?$/u;
const LONGEST_NOTE_WORDS = 8;

/** How long a word lasts at most: the recogniser counts a pause as a part of the word before it. */
const LONGEST_WORD_SECONDS = { fixed: 0.4, letter: 0.12, digit: 0.4 };

/**
 * Returns the words of a piece in order, with punctuation and without the recogniser's notes.
 *
 * @param startSeconds where the piece begins; the words' times count from the same moment.
 */
export function wordsOfTokens(
	{ segments }: RecognisedPiece,
	startSeconds: number,
	endSeconds: number,
): SpokenWord[] {
	const words: SpokenWord[] = [];
	for (const { text, t0, t1 } of segments) {
		if (text.trim() === '') continue;
		const [start, end] = [t0, t1].map((ms) => Math.min(endSeconds, startSeconds + ms / 1000));
		const last = words.at(-1);
		if (last === undefined || /^\s/.test(text) || UNSPACED.test(text)) {
			words.push({ text: text.trim(), startSeconds: start, endSeconds: Math.max(start, end) });
		} else {
			last.text += text.trimEnd();
			last.endSeconds = Math.max(last.endSeconds, end);
		}
	}
	return withoutNotes(words).map(withoutPause);
}

function withoutNotes(words: readonly SpokenWord[]): SpokenWord[] {
	const kept: SpokenWord[] = [];
	for (let at = 0; at < words.length; at++) {
		const rest = words.slice(at, at + LONGEST_NOTE_WORDS);
		const end = NOTE_STARTS.test(words[at].text)
			? rest.findIndex(({ text }) => NOTE_ENDS.test(text))
			: -1;
		if (end >= 0) at += end;
		else kept.push(words[at]);
	}
	return kept;
}

function withoutPause(word: SpokenWord): SpokenWord {
	const digits = word.text.replace(/\P{N}/gu, '').length;
	const { fixed, letter, digit } = LONGEST_WORD_SECONDS;
	const longest = fixed + letter * (word.text.length - digits) + digit * digits;
	return { ...word, endSeconds: Math.min(word.endSeconds, word.startSeconds + longest) };
}
