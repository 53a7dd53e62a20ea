import { LINE_LENGTH_MAXIMUM, setLines, wordPieces } from './cueLines';
import { spread } from './fillTimes';
import { breakCost, endsSentence } from './phrases';
import type { SpokenWord } from './spokenWords';

/** A subtitle: when it is shown, in whole milliseconds, its one or two lines, and who speaks. */
export interface Cue {
	readonly startMs: number;
	readonly endMs: number;
	readonly lines: readonly string[];
	readonly speaker?: string;
}

const SHORTEST_CUE_MS = 1_000;
const LONGEST_CUE_MS = 7_000;
/** Faster than this, in characters a second, a cue is hard to read. */
const READING_SPEED_MAXIMUM = 20;
/** How long a cue may stay after its last word, so that it does not flicker away. */
const LINGER_MS = 400;
/** The pause between two cues that shows the eye that the text has changed, where there is time. */
const CUE_GAP_MS = 80;
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

/** The most words looked back over for one cue: two lines of one-letter words. */
const CUE_LENGTH_MAXIMUM = 2 * LINE_LENGTH_MAXIMUM + 1;

/** A cue as words, before its times are settled. */
interface Candidate {
	readonly first: number;
	readonly lines: readonly string[];
	readonly cost: number;
}

/**
 * Divides words into subtitles as a captioner would: broken after sentences and phrases, at most two
 * lines of 42 characters, each 1 to 7 s on screen, one speaker in each, no faster than 20 characters a
 * second where the speech leaves the time for it. Cues never overlap and their starts always rise.
 */
export function cuesOf(spoken: readonly SpokenWord[]): Cue[] {
	const words = spoken.flatMap(fittingWords);
	const cues = bestDivision(words).map(({ first, lines, last }) => ({
		startMs: words[first].startMs,
		spokenUntilMs: Math.max(words[last].endMs, words[first].startMs),
		lines,
		speaker: words[first].speaker,
	}));
	const timed: Cue[] = [];
	cues.forEach(({ lines, speaker, spokenUntilMs, ...cue }, index) => {
		// Words that came faster than anyone can read push the next cues back a little.
		const startMs = Math.max(cue.startMs, timed.at(-1)?.endMs ?? 0);
		const nextMs = cues[index + 1]?.startMs ?? Infinity;
		const endMs = cueEndMs(startMs, spokenUntilMs, nextMs, lines);
		timed.push({ startMs, endMs, lines, ...(speaker !== undefined && { speaker }) });
	});
	return timed;
}

function cueEndMs(
	startMs: number,
	spokenUntilMs: number,
	nextMs: number,
	lines: readonly string[],
): number {
	const readUntilMs = startMs + (lengthOf(lines) / READING_SPEED_MAXIMUM) * 1_000;
	const wantedMs = Math.max(spokenUntilMs + LINGER_MS, readUntilMs);
	const gapMs =
		wantedMs > nextMs - CUE_GAP_MS && readUntilMs <= nextMs - CUE_GAP_MS ? CUE_GAP_MS : 0;
	const endMs = Math.round(Math.min(wantedMs, nextMs - gapMs));
	return Math.min(Math.max(endMs, startMs + SHORTEST_CUE_MS), startMs + LONGEST_CUE_MS);
}

/** A word that does not fit a line comes in pieces. */
function fittingWords(word: SpokenWord): SpokenWord[] {
	if (word.text.length <= LINE_LENGTH_MAXIMUM) return [word];
	const pieces = word.text.split(' ').flatMap(wordPieces);
	const parts = pieces.map((text) => ({ ...word, text }));
	return spread(parts, word.startMs, word.endMs);
}

/** The division with the lowest sum of costs, found word by word from the front. */
function bestDivision(words: readonly SpokenWord[]): Array<Candidate & { last: number }> {
	/** For each word, the cheapest cue that ends with it and what all up to there costs. */
	const best: Candidate[] = [];
	for (let last = 0; last < words.length; last++) {
		let cheapest: Candidate | undefined;
		for (let first = last, length = 0; first >= 0; first--) {
			length += words[first].text.length + 1;
			if (first < last && !mayStandTogether(words, first, last, length)) break;
			const set = setLines(words.slice(first, last + 1).map(({ text }) => text));
			if (set === undefined) continue;
			const before = first > 0 ? best[first - 1].cost : 0;
			const cost = before + set.cost + cueCost(words, first, last);
			if (cheapest === undefined || cost < cheapest.cost)
				cheapest = { first, lines: set.lines, cost };
		}
		if (cheapest !== undefined) best.push(cheapest);
	}
	const chosen: Array<Candidate & { last: number }> = [];
	for (let last = best.length - 1; last >= 0; last = best[last].first - 1) {
		chosen.push({ ...best[last], last });
	}
	return chosen.reverse();
}

function mayStandTogether(
	words: readonly SpokenWord[],
	first: number,
	last: number,
	length: number,
): boolean {
	return (
		// Without the space that was counted after the last word, and with none where scripts have none.
		length - 1 <= CUE_LENGTH_MAXIMUM + (last - first) &&
		words[first].speaker === words[last].speaker &&
		words[last].endMs - words[first].startMs <= LONGEST_CUE_MS
	);
}

function cueCost(words: readonly SpokenWord[], first: number, last: number): number {
	const cue = words.slice(first, last + 1);
	const next = words.at(last + 1);
	const startMs = cue[0].startMs;
	const roomMs = Math.min(LONGEST_CUE_MS, (next?.startMs ?? Infinity) - startMs);
	const roomSeconds = Math.max(roomMs, 1) / 1_000;
	const characters = lengthOf(cue.map(({ text }) => text)) + cue.length - 1;
	const insides = cue.slice(0, -1);
	const endsWell = endsSentence(cue[cue.length - 1].text);
	const isWhole =
		isSentenceBreak(first === 0 ? undefined : words[first - 1], cue[0]) &&
		isSentenceBreak(cue[cue.length - 1], next);
	const pausesInside = insides.filter(
		(word, index) => pauseMs(word, cue[index + 1]) >= LONG_PAUSE_MS,
	);
	const sentencesInside = endsWell ? 0 : insides.filter(({ text }) => endsSentence(text)).length;
	const isFragment = cue.length <= 2 && !isWhole;
	return (
		COST.cue +
		COST.longPauseInside * pausesInside.length +
		COST.sentenceInside * sentencesInside +
		COST.tooShort * Math.max(0, SHORTEST_CUE_MS / 1_000 - roomSeconds) +
		COST.tooFast * Math.min(100, Math.max(0, characters / roomSeconds - READING_SPEED_MAXIMUM)) +
		(isFragment ? COST.fragment : 0) +
		(next === undefined ? 0 : cueBreakCost(cue[cue.length - 1], next))
	);
}

/** Whether a sentence or a speaker ends between two words; nothing is before the first one. */
function isSentenceBreak(before: SpokenWord | undefined, after: SpokenWord | undefined): boolean {
	if (before === undefined || after === undefined) return true;
	return before.speaker !== after.speaker || endsSentence(before.text);
}

function cueBreakCost(before: SpokenWord, after: SpokenWord): number {
	if (before.speaker !== after.speaker) return 0;
	const bonus = Math.min(1, pauseMs(before, after) / 500) * COST.pauseBonus;
	return Math.max(0, COST.breakWeight * breakCost(before.text, after.text) - bonus);
}

function pauseMs(before: SpokenWord, after: SpokenWord): number {
	return Math.max(0, after.startMs - before.endMs);
}

function lengthOf(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + text.length, 0);
}
