import { breakCost, endsSentence } from './phrases';

/** The longest line of a subtitle, in characters. */
export const LINE_LENGTH_MAXIMUM = 42;

/** What is asked about words again and again while they are divided, worked out once for each. */
export interface WordRow {
	readonly texts: readonly string[];
	/** Where each word begins and ends when all stand on one line, in characters. */
	readonly beginsAt: Float64Array;
	readonly endsAt: Float64Array;
	/** The first word of the fullest line that ends with each word. */
	readonly lineFrom: Uint32Array;
	/** What a break before each word costs, see `breakCost`; 0 before the first. */
	readonly breakCosts: Float64Array;
	/** 1 for a word that ends a sentence, else 0. */
	readonly endsSentence: Uint8Array;
}

/** Measures words, none longer than a line; takes as many steps as there are words. */
export function measureWords(texts: readonly string[]): WordRow {
	const row = {
		texts,
		beginsAt: new Float64Array(texts.length),
		endsAt: new Float64Array(texts.length),
		lineFrom: new Uint32Array(texts.length),
		breakCosts: new Float64Array(texts.length),
		endsSentence: Uint8Array.from(texts, (text) => (endsSentence(text) ? 1 : 0)),
	};
	let length = 0;
	let from = 0;
	texts.forEach((text, index) => {
		if (index > 0) {
			length += gap(texts[index - 1], text).length;
			row.breakCosts[index] = breakCost(texts[index - 1], text);
		}
		row.beginsAt[index] = length;
		length += text.length;
		row.endsAt[index] = length;
		while (from < index && length - row.beginsAt[from] > LINE_LENGTH_MAXIMUM) from++;
		row.lineFrom[index] = from;
	});
	return row;
}

/** Words in a row; scripts without spaces get none. */
export function joinWords(words: readonly string[]): string {
	return words.map((word, index) => (index > 0 ? gap(words[index - 1], word) : '') + word).join('');
}

function gap(before: string, after: string): string {
	return SPACELESS_END.test(before) && SPACELESS_START.test(after) ? '' : ' ';
}

const SPACELESS_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。]$/u;
const SPACELESS_START =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。]/u;
