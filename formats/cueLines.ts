import { breakCost } from './phrases';

/** The longest line of a subtitle, in characters. */
export const LINE_LENGTH_MAXIMUM = 42;

/** What a line of a single short word costs: it looks like a slip. */
const ORPHAN_COST = 8;
/** A word at least so long may stand alone on a line. */
const ORPHAN_LENGTH_MAXIMUM = 7;
/** What it costs that the lines differ by a whole line's length. */
const IMBALANCE_COST = 6;

/** Words set in one or two lines, and how ugly the break between them is. */
export interface SetLines {
	readonly lines: readonly string[];
	readonly cost: number;
}

/** The words in one line, or in two with the best break; undefined where they do not fit. */
export function setLines(words: readonly string[]): SetLines | undefined {
	const whole = joinWords(words);
	if (whole.length <= LINE_LENGTH_MAXIMUM) return { lines: [whole], cost: 0 };
	let best: SetLines | undefined;
	let top = '';
	for (let count = 1; count < words.length; count++) {
		top = count === 1 ? words[0] : top + gap(words[count - 2], words[count - 1]) + words[count - 1];
		if (top.length > LINE_LENGTH_MAXIMUM) break;
		const bottom = whole.slice(top.length).trimStart();
		if (bottom.length > LINE_LENGTH_MAXIMUM) continue;
		const cost = lineBreakCost(words, count, top.length - bottom.length);
		if (best === undefined || cost < best.cost) best = { lines: [top, bottom], cost };
	}
	return best;
}

function lineBreakCost(words: readonly string[], count: number, difference: number): number {
	const loneWords = [count === 1 ? words[0] : '', count === words.length - 1 ? words[count] : ''];
	const isOrphan = loneWords.some((word) => word !== '' && word.length <= ORPHAN_LENGTH_MAXIMUM);
	const imbalance = (Math.abs(difference) / LINE_LENGTH_MAXIMUM) * IMBALANCE_COST;
	// The longer line reads better below.
	const topHeavy = difference > 0 ? 0.5 : 0;
	const phrase = breakCost(words[count - 1], words[count]);
	return phrase + imbalance + topHeavy + (isOrphan ? ORPHAN_COST : 0);
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
