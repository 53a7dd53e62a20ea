import { LINE_LENGTH_MAXIMUM, type WordRow, joinWords } from './wordRow';

/** Taken out of the global once: where code runs in a context of its own, each look there is slow. */
const { abs, max } = Math;

/** What a line of a single short word costs: it looks like a slip. */
const ORPHAN_COST = 8;
/** A word at least so long may stand alone on a line. */
const ORPHAN_LENGTH_MAXIMUM = 7;
/** What it costs that the lines differ by a whole line's length. */
const IMBALANCE_COST = 6;

/** How words are set in one or two lines, and how ugly the break between them is. */
export interface SetLines {
	/** The place of the word that begins the second line; undefined where one line is enough. */
	readonly secondLineAt?: number;
	readonly cost: number;
}

const ON_ONE_LINE: SetLines = { cost: 0 };

/**
 * How the words from `first` to `last` go on one line, or on two with the best break; undefined where
 * they do not fit.
 */
export function setLines(row: WordRow, first: number, last: number): SetLines | undefined {
	const { beginsAt, endsAt, lineFrom } = row;
	if (lineFrom[last] <= first) return ON_ONE_LINE;
	let secondLineAt: number | undefined;
	let cheapest = 0;
	for (let place = max(first + 1, lineFrom[last]); place <= last; place++) {
		const topLength = endsAt[place - 1] - beginsAt[first];
		if (topLength > LINE_LENGTH_MAXIMUM) break;
		const bottomLength = endsAt[last] - beginsAt[place];
		const isOrphan =
			(place === first + 1 && topLength <= ORPHAN_LENGTH_MAXIMUM) ||
			(place === last && bottomLength <= ORPHAN_LENGTH_MAXIMUM);
		const cost =
			lineBreakCost(row.breakCosts[place], topLength - bottomLength) + (isOrphan ? ORPHAN_COST : 0);
		if (secondLineAt === undefined || cost < cheapest) {
			cheapest = cost;
			secondLineAt = place;
		}
	}
	return secondLineAt === undefined ? undefined : { secondLineAt, cost: cheapest };
}

/** The texts of the lines of words that were set. */
export function lineTexts(
	{ texts }: WordRow,
	{ first, last, secondLineAt }: { first: number; last: number; secondLineAt?: number },
): string[] {
	if (secondLineAt === undefined) return [joinWords(texts.slice(first, last + 1))];
	return [
		joinWords(texts.slice(first, secondLineAt)),
		joinWords(texts.slice(secondLineAt, last + 1)),
	];
}

function lineBreakCost(phrase: number, difference: number): number {
	const imbalance = (abs(difference) / LINE_LENGTH_MAXIMUM) * IMBALANCE_COST;
	// The longer line reads better below.
	const topHeavy = difference > 0 ? 0.5 : 0;
	return phrase + imbalance + topHeavy;
}

/** A word in pieces that fit a line, cut between what a reader takes for characters. */
export function wordPieces(word: string): string[] {
	const pieces: string[] = [];
	let piece = '';
	for (const { segment } of new Intl.Segmenter().segment(word)) {
		// One "character" of many marks can be longer than a line.
		const parts = segment.length > LINE_LENGTH_MAXIMUM ? [...segment] : [segment];
		for (const part of parts) {
			if (piece.length + part.length > LINE_LENGTH_MAXIMUM) {
				pieces.push(piece);
				piece = '';
			}
			piece += part;
		}
	}
	return [...pieces, piece].map((text) => text.trim()).filter((text) => text !== '');
}
