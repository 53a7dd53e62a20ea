import { MAX_LINE_LENGTH, type SetLines, joinWords, measureWords, setLines } from './cueLines';
import type { SpokenWord } from './timedWords';

/** A word that a cue may show. */
interface CueWord extends SpokenWord {
	/** Words that nobody can say so fast have cues of their own, which may be left out. */
	readonly isSayable: boolean;
}

export const MIN_CUE_MS = 1_000;
export const MAX_CUE_MS = 7_000;

/** Faster than this, in characters a second, a cue is hard to read. */
export const MAX_READING_SPEED = 20;

/** Read once: where code runs in its own context, as in tests, each look at a global is slow. */
const { max, min } = Math;

/** A silence of at least this length ends a cue. */
const LONG_PAUSE_MS = 1_500;

/** The longest text of a cue: two full lines and the space that the line break replaces. */
const MAX_CUE_LENGTH = 2 * MAX_LINE_LENGTH + 1;

/** What makes a division into cues bad. The division with the lowest sum wins. */
const COST = {
	/** Every cue: few full ones read better than many small ones. */
	cue: 5,
	/** Times the cost of the break between words. */
	breakWeight: 2.5,
	/** A sentence that ends inside a cue which then goes on into the next. */
	sentenceInside: 5,
	/** A cue of one or two words that are no sentence. */
	fragment: 15,
	longPauseInside: 40,
	/** Times the seconds missing to the shortest time. */
	tooShort: 40,
	/** Times the characters a second above the reading speed. */
	tooFast: 2,
	/** A pause of half a second is a good place to break. */
	pauseBonus: 4,
};

/** The words of a cue, by their indexes, and its lines. */
interface DividedCue {
	readonly first: number;
	readonly last: number;
	readonly lines: readonly string[];
}

/** The cheapest cue that ends with a word, and the cost of all cues up to there. */
interface Candidate extends SetLines {
	readonly first: number;
}

type CueRow = ReturnType<typeof measureCues>;

/**
 * The division with the lowest cost, found word by word from the front. A cue holds a limited number of
 * characters, so the time this takes grows with the number of words, not with its square.
 *
 * @param words none longer than a line
 */
export function bestDivision(words: readonly CueWord[]): DividedCue[] {
	const row = measureCues(words);
	const best: Candidate[] = [];
	for (let last = 0; last < words.length; last++) best.push(cheapestEnding(row, best, last));
	const chosen: DividedCue[] = [];
	for (let last = best.length - 1; last >= 0; last = best[last].first - 1) {
		const { first, secondLineAt = last + 1 } = best[last];
		const lines = [row.texts.slice(first, secondLineAt), row.texts.slice(secondLineAt, last + 1)];
		const isFilled = ({ length }: readonly string[]) => length > 0;
		chosen.push({ first, last, lines: lines.filter(isFilled).map(joinWords) });
	}
	return chosen.reverse();
}

function cheapestEnding(row: CueRow, best: readonly Candidate[], last: number): Candidate {
	let earliest = last;
	while (earliest > 0 && mayShareCue(row, earliest - 1, last)) earliest--;
	// A word alone always fits.
	let cheapest: Candidate = { first: last, cost: Infinity };
	// Full cues are mostly the cheapest. After one of them, most others need not be divided into lines.
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

/** Whether words may share a cue. If they may not, they may not with more words before them either. */
function mayShareCue({ words, beginsAt, endsAt }: CueRow, first: number, last: number): boolean {
	return (
		endsAt[last] - beginsAt[first] <= MAX_CUE_LENGTH &&
		words[first].speaker === words[last].speaker &&
		words[first].isSayable === words[last].isSayable &&
		words[last].endMs - words[first].startMs <= MAX_CUE_MS
	);
}

/** Words with what the cost of a cue is made of. Running sums count what is before each index. */
function measureCues(words: readonly CueWord[]) {
	const count = words.length;
	const row = {
		...measureWords(words.map(({ text }) => text)),
		words,
		/** Characters of the words without spaces. */
		charactersBefore: new Float64Array(count + 1),
		sentencesBefore: new Uint32Array(count + 1),
		/** Each long pause is counted at the word after it. */
		longPausesBefore: new Uint32Array(count + 1),
		/** The cost of beginning a cue with a word. */
		cueBreakCosts: new Float64Array(count + 1),
		/** 1 where a sentence or a speaker ended before a word, also at both ends; else 0. */
		isSentenceBreak: new Uint8Array(count + 1).fill(1, 0, 1).fill(1, count),
	};
	words.forEach((word, index) => {
		let isLongPause = false;
		if (index > 0) {
			const before = words[index - 1];
			const pauseMs = max(0, word.startMs - before.endMs);
			isLongPause = pauseMs >= LONG_PAUSE_MS;
			const isSameSpeaker = before.speaker === word.speaker;
			const bonus = min(1, pauseMs / 500) * COST.pauseBonus;
			const cost = max(0, COST.breakWeight * row.breakCosts[index] - bonus);
			row.cueBreakCosts[index] = isSameSpeaker ? cost : 0;
			row.isSentenceBreak[index] = isSameSpeaker ? row.endsSentence[index - 1] : 1;
		}
		row.charactersBefore[index + 1] = row.charactersBefore[index] + word.text.length;
		row.sentencesBefore[index + 1] = row.sentencesBefore[index] + row.endsSentence[index];
		row.longPausesBefore[index + 1] = row.longPausesBefore[index] + (isLongPause ? 1 : 0);
	});
	return row;
}

function cueCost(row: CueRow, first: number, last: number): number {
	const { words, charactersBefore, sentencesBefore, longPausesBefore, isSentenceBreak } = row;
	const next = last + 1;
	const count = next - first;
	const untilNextMs = next < words.length ? words[next].startMs - words[first].startMs : MAX_CUE_MS;
	const roomSeconds = max(min(MAX_CUE_MS, untilNextMs), 1) / 1_000;
	const characters = charactersBefore[next] - charactersBefore[first] + count - 1;
	const pausesInside = longPausesBefore[next] - longPausesBefore[first + 1];
	const endsWell = row.endsSentence[last] === 1;
	const sentencesInside = endsWell ? 0 : sentencesBefore[last] - sentencesBefore[first];
	const isWhole = isSentenceBreak[first] === 1 && isSentenceBreak[next] === 1;
	return (
		COST.cue +
		COST.longPauseInside * pausesInside +
		COST.sentenceInside * sentencesInside +
		COST.tooShort * max(0, MIN_CUE_MS / 1_000 - roomSeconds) +
		COST.tooFast * min(100, max(0, characters / roomSeconds - MAX_READING_SPEED)) +
		(count <= 2 && !isWhole ? COST.fragment : 0) +
		row.cueBreakCosts[next]
	);
}
