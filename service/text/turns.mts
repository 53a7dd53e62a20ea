import type { SpokenWord, TimeRange } from '../shared/timeRanges.mts';
import { endsSentence } from '../shared/sentenceEnd.mts';

/** A sentence that another speaker interrupts is heard to its end, if it ends within this time, seconds. */
const FINISHED_SECONDS = 4;

/** A shorter pause is inside a phrase. */
const PAUSE_SECONDS = 0.3;

/**
 * Returns the words of a paragraph, divided where others begin to speak: at the end of the sentence or in a pause soon
 * after, or else at once.
 *
 * @param starts when paragraphs of other speakers begin, in order.
 */
export function dividedByTurns(
	words: readonly SpokenWord[],
	starts: readonly number[],
): SpokenWord[][] {
	const parts: SpokenWord[][] = [];
	let from = 0;
	for (const start of starts) {
		const next = words.findIndex((word, at) => at > from && word.startSeconds >= start);
		if (next < 0 || words[from].startSeconds >= start) continue;
		const to = turnFrom(words, next, start);
		if (to === words.length) continue;
		parts.push(words.slice(from, to));
		from = to;
	}
	parts.push(words.slice(from));
	return parts;
}

function turnFrom(words: readonly SpokenWord[], next: number, start: number): number {
	for (let at = next; at <= words.length; at++) {
		const { text, endSeconds } = words[at - 1];
		if (endSeconds > start + FINISHED_SECONDS) break;
		const pause = (words.at(at)?.startSeconds ?? Infinity) - endSeconds;
		if (endsSentence(text) || pause >= PAUSE_SECONDS) return at;
	}
	return next;
}

/** Lets each stretch begin when the one before has ended, at the earliest. @param stretches in order of their starts. */
export function oneAfterAnother<T extends TimeRange>(stretches: readonly T[]): T[] {
	let latest = 0;
	return stretches.map((stretch) => {
		const startSeconds = Math.max(latest, stretch.startSeconds);
		const endSeconds = Math.max(startSeconds, stretch.endSeconds);
		latest = endSeconds;
		return { ...stretch, startSeconds, endSeconds };
	});
}
