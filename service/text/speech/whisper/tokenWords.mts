import type { SpokenWord } from '../../../shared/timeRanges.mts';
import { withoutPause } from '../../../shared/wordLength.mts';
import { type Piece, timeIn } from '../pieces.mts';
import { bare } from '../punctuation.mts';
import type { RecognizedPiece } from './recognizerPackage.mts';

/** Scripts without spaces between words: here, each token counts as one. */
const UNSPACED =
	/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Notes of the recognizer: `[Music]`, `【音楽】`, and `(laughs)`, `*sighs*` or `♪` where nothing else is said. */
const NOTE_STARTS = /^[[【]/u;
const NOTE_ENDS = /[\]】][.,!?]?$/u;
const MAX_NOTE_WORDS = 8;
const ONLY_NOTE = /^(?:\([^()]*\)|（[^（）]*）|\*[^*]*\*|♪[^♪]*♪?)$/u;

/** How Node shows a part of a character. */
const BROKEN = '\uFFFD';

/** A word, and where the model heard its first and its last part end, in seconds, if it says so. */
export interface TokenWord extends SpokenWord {
	points: readonly number[];
}

/**
 * Returns the words of a piece in order, at times of the recording, with punctuation and without the recognizer's
 * notes.
 */
export function wordsOfTokens(recognized: RecognizedPiece, piece: Piece): TokenWord[] {
	const words: TokenWord[] = [];
	if (ONLY_NOTE.test(recognized.result.trim())) return words;
	for (const { text, t0, t1, point } of wholeTokens(recognized)) {
		if (text.trim() === '') continue;
		const start = timeIn(piece, t0 / 1000);
		const end = Math.max(start, timeIn(piece, t1 / 1000, true));
		// A point of punctuation lies at the end of the pause after the word.
		const isSpoken = point !== undefined && bare(text) !== '';
		const points = isSpoken ? [timeIn(piece, point / 1000)] : [];
		const last = words.at(-1);
		if (last === undefined || /^\s/.test(text) || UNSPACED.test(text)) {
			words.push({ text: text.trim(), startSeconds: start, endSeconds: end, points });
		} else {
			last.text += text.trimEnd();
			last.endSeconds = Math.max(last.endSeconds, end);
			last.points = [...last.points, ...points];
		}
	}
	return withoutNotes(words).map((word) => ({ ...word, ...withoutPause(word) }));
}

/** Returns the tokens with those joined that only together are characters; their text is in the whole one. */
function wholeTokens({ segments, result }: RecognizedPiece): RecognizedPiece['segments'] {
	const tokens: RecognizedPiece['segments'] = [];
	let position = 0;
	for (let at = 0; at < segments.length; ) {
		let end = at + 1;
		if (segments[at].text.includes(BROKEN)) {
			while (segments.at(end)?.text.includes(BROKEN)) end++;
		}
		const isWhole = !segments[at].text.includes(BROKEN);
		const next = segments.at(end)?.text;
		const found = next === undefined ? result.length : result.indexOf(next, position + 1);
		const until = isWhole || found < 0 ? position + segments[at].text.length : found;
		const text = isWhole ? segments[at].text : result.slice(position, until);
		const { t0 } = segments[at];
		const { t1, point } = segments[end - 1];
		tokens.push({ text, t0, t1, point });
		position = until;
		at = end;
	}
	return tokens;
}

function withoutNotes(words: readonly TokenWord[]): TokenWord[] {
	const kept: TokenWord[] = [];
	for (let at = 0; at < words.length; at++) {
		const rest = words.slice(at, at + MAX_NOTE_WORDS);
		const end = NOTE_STARTS.test(words[at].text)
			? rest.findIndex(({ text }) => NOTE_ENDS.test(text))
			: -1;
		if (end >= 0) at += end;
		else kept.push(words[at]);
	}
	return kept;
}
