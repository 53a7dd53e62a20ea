import { type SetLines, lineTexts, setLines } from './cueLines';
import type { SpokenWord } from './timedWords';
import { LINE_LENGTH_MAXIMUM, type WordRow, measureWords } from './wordRow';

export const SHORTEST_CUE_MS = 1_000;
export const LONGEST_CUE_MS = 7_000;

/** Faster than this, in characters a second, a cue is hard to read. */
export const READING_SPEED_MAXIMUM = 20;

/** Taken out of the global once: where code runs in a context of its own, each look there is slow. */
const { max, min } = Math;

/** A silence from here on ends a cue. */
const LONG_PAUSE_MS = 1_500;

/** What makes a division into cues bad; the sum over all cues is kept low. */
const COST = {
	/** Every cue: few full ones read better than many small ones. */
	cue: 5,
	/** By the cost of the break between words. */
	breakWeight: 2.5,
	/** A sentence that ends inside a cue which then goes on into the next. */
	sentenceInside: 5,
	/** A cue of one or two words that are no sentence. */
	fragment: 15,
	longPauseInside: 40,
	/** By the second that is missing to the shortest time. */
	tooShort: 40,
	/** By the character a second above the reading speed. */
	tooFast: 2,
	/** A pause of half a second is a good place to break. */
	pauseBonus: 4,
};

/** The longest text of a cue: two full lines and the space that the line break stands for. */
const CUE_LENGTH_MAXIMUM = 2 * LINE_LENGTH_MAXIMUM + 1;

/** The words of a cue, by their places, and its lines. */
export interface DividedCue {
	readonly first: number;
	readonly last: number;
	readonly lines: readonly string[];
}

/** The cheapest cue that ends with a word, and what all cues up to there cost. */
interface Candidate extends SetLines {
	readonly first: number;
}

/** Words with what the cost of a cue is made of. Running sums hold what is before each place. */
interface CueRow extends WordRow {
	readonly words: readonly SpokenWord[];
	/** Characters of the words without spaces. */
	readonly charactersBefore: Float64Array;
	readonly sentencesBefore: Uint32Array;
	/** Long pauses, each counted at the word after it. */
	readonly longPausesBefore: Uint32Array;
	/** What it costs to begin a cue with a word. */
	readonly cueBreakCosts: Float64Array;
	/** 1 where a sentence or a speaker ended before a word, also at both ends; else 0. */
	readonly isSentenceBreak: Uint8Array;
}

/**
 * The division with the lowest sum of costs, found word by word from the front. A cue holds only so
 * many characters, so the time it takes grows with the count of words, not with its square.
 *
 * @param words none longer than a line
 */
export function bestDivision(words: readonly SpokenWord[]): DividedCue[] {
	const row = measureCues(words);
	const best: Candidate[] = [];
	for (let last = 0; last < words.length; last++) best.push(cheapestEnding(row, best, last));
	const chosen: DividedCue[] = [];
	for (let last = best.length - 1; last >= 0; last = best[last].first - 1) {
		const { first, secondLineAt } = best[last];
		chosen.push({ first, last, lines: lineTexts(row, { first, last, secondLineAt }) });
	}
	return chosen.reverse();
}

function cheapestEnding(row: CueRow, best: readonly Candidate[], last: number): Candidate {
	let earliest = last;
	while (earliest > 0 && mayStandTogether(row, earliest - 1, last)) earliest--;
	// A word alone always fits.
	let cheapest: Candidate = { first: last, cost: Infinity };
	// Full cues are mostly the cheapest, and once one is known the lines of most others need no look.
	for (let first = earliest; first <= last; first++) {
		const before = first > 0 ? best[first - 1].cost : 0;
		const ownCost = cueCost(row, first, last);
		if (before + ownCost > cheapest.cost) continue;
		const set = setLines(row, first, last);
		if (set === undefined) continue;
		const cost = before + set.cost + ownCost;
		if (cost <= cheapest.cost) cheapest = { first, secondLineAt: set.secondLineAt, cost };
	}
	return cheapest;
}

/** Whether words may share a cue. Where they may not, they may not with more words before them either. */
function mayStandTogether(
	{ words, beginsAt, endsAt }: CueRow,
	first: number,
	last: number,
): boolean {
	return (
		endsAt[last] - beginsAt[first] <= CUE_LENGTH_MAXIMUM &&
		words[first].speaker === words[last].speaker &&
		words[last].endMs - words[first].startMs <= LONGEST_CUE_MS
	);
}

function measureCues(words: readonly SpokenWord[]): CueRow {
	const count = words.length;
	const row: CueRow = {
		...measureWords(words.map(({ text }) => text)),
		words,
		charactersBefore: new Float64Array(count + 1),
		sentencesBefore: new Uint32Array(count + 1),
		longPausesBefore: new Uint32Array(count + 1),
		cueBreakCosts: new Float64Array(count + 1),
		isSentenceBreak: new Uint8Array(count + 1).fill(1, 0, 1).fill(1, count),
	};
	for (let index = 0; index < count; index++) {
		const before = index > 0 ? words[index - 1] : undefined;
		const word = words[index];
		let isLongPause = false;
		if (before !== undefined) {
			const pauseMs = max(0, word.startMs - before.endMs);
			isLongPause = pauseMs >= LONG_PAUSE_MS;
			const isSameSpeaker = before.speaker === word.speaker;
			row.cueBreakCosts[index] = isSameSpeaker ? breakCostAt(row.breakCosts[index], pauseMs) : 0;
			row.isSentenceBreak[index] = isSameSpeaker ? row.endsSentence[index - 1] : 1;
		}
		row.charactersBefore[index + 1] = row.charactersBefore[index] + word.text.length;
		row.sentencesBefore[index + 1] = row.sentencesBefore[index] + row.endsSentence[index];
		row.longPausesBefore[index + 1] = row.longPausesBefore[index] + (isLongPause ? 1 : 0);
	}
	return row;
}

function breakCostAt(phrase: number, pauseMs: number): number {
	const bonus = min(1, pauseMs / 500) * COST.pauseBonus;
	return max(0, COST.breakWeight * phrase - bonus);
}

function cueCost(row: CueRow, first: number, last: number): number {
	const { words, charactersBefore, sentencesBefore, longPausesBefore, isSentenceBreak } = row;
	const next = last + 1;
	const count = next - first;
	const untilNextMs =
		next < words.length ? words[next].startMs - words[first].startMs : LONGEST_CUE_MS;
	const roomMs = min(LONGEST_CUE_MS, untilNextMs);
	const roomSeconds = max(roomMs, 1) / 1_000;
	const characters = charactersBefore[next] - charactersBefore[first] + count - 1;
	const pausesInside = longPausesBefore[next] - longPausesBefore[first + 1];
	const endsWell = row.endsSentence[last] === 1;
	const sentencesInside = endsWell ? 0 : sentencesBefore[last] - sentencesBefore[first];
	const isWhole = isSentenceBreak[first] === 1 && isSentenceBreak[next] === 1;
	const isFragment = count <= 2 && !isWhole;
	return (
		COST.cue +
		COST.longPauseInside * pausesInside +
		COST.sentenceInside * sentencesInside +
		COST.tooShort * max(0, SHORTEST_CUE_MS / 1_000 - roomSeconds) +
		COST.tooFast * min(100, max(0, characters / roomSeconds - READING_SPEED_MAXIMUM)) +
		(isFragment ? COST.fragment : 0) +
		row.cueBreakCosts[next]
	);
}
