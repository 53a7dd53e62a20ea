import type { SpokenWord, TimeRange } from '../shared/timeRanges.mts';
import { firstFrom } from '../engine/signal/levels.mts';
import { endsSentence } from '../shared/sentenceEnd.mts';
import { dividedByTurns, oneAfterAnother } from './turns.mts';

/** A paragraph of the transcript, by one speaker. */
export interface Paragraph extends TimeRange {
	text: string;
	/** The number of the track, from 0. */
	track: number;
	/** A label, by the order of the speakers. */
	speaker: string;
	words: SpokenWord[];
}

/** A pause of this length ends a paragraph; inside a punctuated sentence it has to be longer. */
const PARAGRAPH_PAUSE_SECONDS = 2;
const PAUSE_IN_SENTENCE_SECONDS = 5;

/** Fewer words than this stay together. */
const LONG_PARAGRAPH_WORDS = 80;

/** The best length: about 25 s of speech. Decides between pauses of the same length. */
const USUAL_PARAGRAPH_WORDS = 60;

/**
 * Where a long paragraph may end: first and last number of words. The first range that holds a
 * sentence end decides, or else the first that holds a pause. Only a sentence of over 150 words (a
 * minute) is split, and only a minute without a pause is split between two words.
 */
const RANGES_WORDS = [
	[40, LONG_PARAGRAPH_WORDS - 1],
	[LONG_PARAGRAPH_WORDS, 150],
	[1, 39],
] as const;

/** Enough to see the end of the longest range. */
const LOOK_AHEAD_WORDS = 151;

/** Shorter gaps occur inside a phrase. */
const MIN_PAUSE_SECONDS = 0.3;

/** A place where a paragraph may end. */
interface Border {
	/** Number of words before it. */
	words: number;
	isSentenceEnd: boolean;
	/** Until the next word, to the millisecond; Infinity after the last word. */
	pauseSeconds: number;
}

/** In order of preference. */
const FITS: ReadonlyArray<(border: Border) => boolean> = [
	({ isSentenceEnd }) => isSentenceEnd,
	({ pauseSeconds }) => pauseSeconds >= MIN_PAUSE_SECONDS,
	() => true,
];

/**
 * Groups each speaker's words into paragraphs, sorted by start, that end with a sentence or else in a pause. Where another
 * one begins to speak, a paragraph ends, but not in the middle of a sentence that soon ends; none begins before the one
 * before has ended.
 *
 * @param speakers the words of each.
 * @param isOneTrack whether all of them are on one track; each has a track of its own otherwise.
 */
export function paragraphsOf(
	speakers: ReadonlyArray<readonly SpokenWord[]>,
	isOneTrack = false,
): Paragraph[] {
	const all = speakers.map((words, speaker) => paragraphsOfSpeaker(words, speaker, isOneTrack));
	const turns = all.flatMap((paragraphs, speaker) => {
		const others = all.filter((_, other) => other !== speaker).flat();
		const starts = others.map(({ startSeconds }) => startSeconds).toSorted((a, b) => a - b);
		return paragraphs.flatMap(({ words, startSeconds, endSeconds }) => {
			const first = firstFrom(starts, (start) => start <= startSeconds);
			const last = firstFrom(starts, (start) => start < endSeconds);
			const parts = dividedByTurns(words, starts.slice(first, last));
			return parts.map((part) => paragraphOf(part, speaker, isOneTrack));
		});
	});
	return oneAfterAnother(turns.toSorted((a, b) => a.startSeconds - b.startSeconds));
}

function paragraphsOfSpeaker(
	words: readonly SpokenWord[],
	speaker: number,
	isOneTrack: boolean,
): Paragraph[] {
	const paragraphs: Paragraph[] = [];
	for (const stretch of stretchesOf(words)) {
		for (let start = 0; start < stretch.length; ) {
			const end = start + paragraphLength(stretch.slice(start, start + LOOK_AHEAD_WORDS));
			paragraphs.push(paragraphOf(stretch.slice(start, end), speaker, isOneTrack));
			start = end;
		}
	}
	return paragraphs;
}

function paragraphOf(words: SpokenWord[], speaker: number, isOneTrack: boolean): Paragraph {
	return {
		startSeconds: words[0].startSeconds,
		endSeconds: words[words.length - 1].endSeconds,
		text: words.map((word) => word.text).join(' '),
		track: isOneTrack ? 0 : speaker,
		speaker: `SPEAKER_${String(speaker).padStart(2, '0')}`,
		words,
	};
}

/** Splits words at the pauses that always end a paragraph. */
function stretchesOf(words: readonly SpokenWord[]): SpokenWord[][] {
	const isPunctuated = words.some(({ text }) => endsSentence(text));
	const stretches: SpokenWord[][] = [];
	let start = 0;
	for (let end = 1; end <= words.length; end++) {
		const { isSentenceEnd, pauseSeconds } = borderAfter(words, end);
		const isInSentence = isPunctuated && !isSentenceEnd;
		const minSeconds = isInSentence ? PAUSE_IN_SENTENCE_SECONDS : PARAGRAPH_PAUSE_SECONDS;
		if (pauseSeconds < minSeconds) continue;
		stretches.push(words.slice(start, end));
		start = end;
	}
	return stretches;
}

/** Number of words that make up the first paragraph of what is left of a stretch. */
function paragraphLength(stretch: readonly SpokenWord[]): number {
	if (stretch.length < LONG_PARAGRAPH_WORDS) return stretch.length;
	for (const isFit of FITS) {
		for (const [fewest, most] of RANGES_WORDS) {
			const counts = Math.min(most, stretch.length) - fewest + 1;
			const borders = Array.from({ length: Math.max(0, counts) }, (_, index) =>
				borderAfter(stretch, fewest + index),
			).filter(isFit);
			if (borders.length > 0) return borders.toSorted(byPauseAndLength)[0].words;
		}
	}
	return stretch.length;
}

function byPauseAndLength(a: Border, b: Border): number {
	if (a.pauseSeconds !== b.pauseSeconds) return b.pauseSeconds - a.pauseSeconds;
	return Math.abs(a.words - USUAL_PARAGRAPH_WORDS) - Math.abs(b.words - USUAL_PARAGRAPH_WORDS);
}

function borderAfter(stretch: readonly SpokenWord[], words: number): Border {
	const last = stretch[words - 1];
	const next = stretch.at(words);
	const pause = (next?.startSeconds ?? Infinity) - last.endSeconds;
	return {
		words,
		isSentenceEnd: endsSentence(last.text),
		pauseSeconds: Math.round(pause * 1000) / 1000,
	};
}
