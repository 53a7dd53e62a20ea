import { breakCost, endsSentence } from './phrases';

/** The longest line of a subtitle, in characters. */
export const MAX_LINE_LENGTH = 42;

/** Read once: where code runs in its own context, as in tests, each look at a global is slow. */
const { abs, max } = Math;

/** The cost of a line of one short word, which looks like a slip. */
const ORPHAN_COST = 8;
/** The longest word that counts as short, in characters. */
const MAX_ORPHAN_LENGTH = 7;
/** The cost of two lines that differ by a whole line's length. */
const IMBALANCE_COST = 6;

type WordRow = ReturnType<typeof measureWords>;

/**
 * Words, none longer than a line, with what dividing them needs again and again, computed once for each word.
 * Takes as many steps as there are words.
 */
export function measureWords(texts: readonly string[]) {
	const row = {
		texts,
		/** Where each word begins and ends if all are on one line, in characters. */
		beginsAt: new Float64Array(texts.length),
		endsAt: new Float64Array(texts.length),
		/** The first word of the fullest line that ends with each word. */
		lineFrom: new Uint32Array(texts.length),
		/** The cost of a break before each word, see `breakCost`; 0 before the first. */
		breakCosts: new Float64Array(texts.length),
		/** 1 for a word that ends a sentence, else 0. */
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
		while (from < index && length - row.beginsAt[from] > MAX_LINE_LENGTH) from++;
		row.lineFrom[index] = from;
	});
	return row;
}

/** Words divided into one or two lines, and how bad the break between the lines is. */
export interface SetLines {
	/** The index of the word that begins the second line; undefined for one line. */
	readonly secondLineAt?: number;
	readonly cost: number;
}

const ON_ONE_LINE: SetLines = { cost: 0 };

/** Divides the words `first` to `last` into as few lines as possible; undefined if two are not enough. */
export function setLines(row: WordRow, first: number, last: number): SetLines | undefined {
	const { beginsAt, endsAt, lineFrom, breakCosts } = row;
	if (lineFrom[last] <= first) return ON_ONE_LINE;
	let secondLineAt: number | undefined;
	let cheapest = Infinity;
	for (let place = max(first + 1, lineFrom[last]); place <= last; place++) {
		const topLength = endsAt[place - 1] - beginsAt[first];
		if (topLength > MAX_LINE_LENGTH) break;
		const bottomLength = endsAt[last] - beginsAt[place];
		const isOrphan =
			(place === first + 1 && topLength <= MAX_ORPHAN_LENGTH) ||
			(place === last && bottomLength <= MAX_ORPHAN_LENGTH);
		const imbalance = (abs(topLength - bottomLength) / MAX_LINE_LENGTH) * IMBALANCE_COST;
		// The longer line reads better below.
		const topHeavy = topLength > bottomLength ? 0.5 : 0;
		const cost = breakCosts[place] + imbalance + topHeavy + (isOrphan ? ORPHAN_COST : 0);
		if (cost < cheapest) {
			cheapest = cost;
			secondLineAt = place;
		}
	}
	return secondLineAt === undefined ? undefined : { secondLineAt, cost: cheapest };
}

/** A word in pieces that fit a line, cut between what a reader takes for characters. */
export function wordPieces(word: string): string[] {
	const pieces: string[] = [];
	let piece = '';
	for (const { segment } of new Intl.Segmenter().segment(word)) {
		// One "character" of many marks can be longer than a line.
		const parts = segment.length > MAX_LINE_LENGTH ? [...segment] : [segment];
		for (const part of parts) {
			if (piece.length + part.length > MAX_LINE_LENGTH) {
				pieces.push(piece);
				piece = '';
			}
			piece += part;
		}
	}
	return [...pieces, piece].map((text) => text.trim()).filter((text) => text !== '');
}

/** Words on one line, with spaces between them except in scripts without spaces. */
export function joinWords(words: readonly string[]): string {
	return words.map((word, index) => (index > 0 ? gap(words[index - 1], word) : '') + word).join('');
}

function gap(before: string, after: string): string {
	return SPACELESS_END.test(before) && SPACELESS_START.test(after) ? '' : ' ';
}

const SPACELESS = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}、。]';
const SPACELESS_START = new RegExp(`^${SPACELESS}`, 'u');
const SPACELESS_END = new RegExp(`${SPACELESS}$`, 'u');
