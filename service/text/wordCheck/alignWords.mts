import type { SpokenWord } from '../../shared/timeRanges.mts';
import { bare } from '../speech/punctuation.mts';

/** The same word is this near in both hearings, seconds: times of words are that far off, rarely more. */
const MAX_APART_SECONDS = 1;

/** What it costs if a word is in one hearing only; less than two different words, which are two of these. */
const ALONE = 0.55;

/** A word as it is compared. */
export interface HeardWord extends SpokenWord {
	letters: string;
}

/** Returns words as they are compared: without case, accents and punctuation; what is only punctuation is left out. */
export function heardWordsOf(words: readonly SpokenWord[]): HeardWord[] {
	return words.flatMap((word) => {
		const letters = bare(word.text.normalize('NFKD').replace(/\p{M}/gu, ''));
		return letters === '' ? [] : [{ ...word, letters }];
	});
}

/**
 * Returns for each word of the first hearing the word of the second that it is, if there is one. Both are in order, and
 * at times that can be compared.
 */
export function alignedWith(
	words: readonly HeardWord[],
	others: readonly HeardWord[],
): Array<HeardWord | undefined> {
	const costs = [Array.from({ length: others.length + 1 }, (_, count) => count * ALONE)];
	for (const [at, word] of words.entries()) {
		const row = [(at + 1) * ALONE];
		for (const [place, other] of others.entries()) {
			const paired = costs[at][place] + differenceOf(word, other);
			row.push(Math.min(paired, costs[at][place + 1] + ALONE, row[place] + ALONE));
		}
		costs.push(row);
	}
	const found: Array<HeardWord | undefined> = words.map(() => undefined);
	let [at, place] = [words.length, others.length];
	while (at > 0 && place > 0) {
		const cost = costs[at][place];
		if (costs[at - 1][place - 1] + differenceOf(words[at - 1], others[place - 1]) === cost) {
			found[--at] = others[--place];
		} else if (costs[at - 1][place] + ALONE === cost) at--;
		else place--;
	}
	return found;
}

/** How different two words are: 0 the same, 1 another word, more where they are too far apart to be one. */
function differenceOf(word: HeardWord, other: HeardWord): number {
	if (Math.abs(middleOf(word) - middleOf(other)) > MAX_APART_SECONDS) return Infinity;
	return lettersApart(word.letters, other.letters);
}

function middleOf({ startSeconds, endSeconds }: SpokenWord): number {
	return (startSeconds + endSeconds) / 2;
}

/** The share of letters that differ, 0 to 1. */
export function lettersApart(one: string, other: string): number {
	if (one === other) return 0;
	let row = Array.from({ length: other.length + 1 }, (_, count) => count);
	for (let at = 0; at < one.length; at++) {
		const next = [at + 1];
		for (let place = 0; place < other.length; place++) {
			const swapped = row[place] + Number(one[at] !== other[place]);
			next.push(Math.min(swapped, row[place + 1] + 1, next[place] + 1));
		}
		row = next;
	}
	return row[other.length] / Math.max(one.length, other.length);
}
