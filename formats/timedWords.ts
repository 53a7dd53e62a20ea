import type { Transcription } from '../api/contract';
import { type MaybeTimed, type Timed, repairTimestamps, spread, timedCount } from './repairTimestamps';
import { onOneLine } from './plainText';
import { speakersOf } from './speakers';

/** A word as it was said: when, and by whom where the service tells. */
export interface SpokenWord extends Timed {
	readonly speaker?: string;
}

/**
 * The words of a transcript with their times, from the word timings, else from the paragraph timings.
 * Words take the spelling of the paragraphs where both say the same, since that one has the punctuation.
 *
 * @returns no words where the transcript has none, or no times at all
 */
export function timedWords(transcription: Transcription | null | undefined): SpokenWord[] {
	const paragraphs = withText(transcription?.paragraphs ?? []);
	const words = withText(transcription?.transcription?.words ?? []);
	const isWordTimed = timedCount(words) * 2 >= words.length && words.length > 0;
	const fromWords = () => repairTimestamps(spelledAs(words, paragraphs));
	const timed = isWordTimed
		? fromWords()
		: [paragraphWords(paragraphs), fromWords()].find(({ length }) => length > 0);
	const speakerAt = speakersOf(transcription);
	return withPunctuation(timed ?? []).map(({ text, startMs, endMs }) => {
		const speaker = speakerAt((startMs + endMs) / 2);
		return { text, startMs, endMs, ...(speaker !== undefined && { speaker }) };
	});
}

/** The paragraphs in the order of their times where all have one, on one line each. */
export function orderedParagraphs<T extends MaybeTimed>(paragraphs: readonly T[]): T[] {
	const filled = withText(paragraphs);
	if (timedCount(filled) < filled.length) return filled;
	return filled.sort((one, other) => (one.start ?? 0) - (other.start ?? 0));
}

/** Marks that came as words of their own belong to the word before. */
function withPunctuation(words: readonly Timed[]): Timed[] {
	const glued: Timed[] = [];
	for (const word of words) {
		const before = glued.at(-1);
		if (before === undefined || !/^[,.;:!?…%)\]}»”]+$/u.test(word.text)) glued.push(word);
		else glued[glued.length - 1] = { ...before, text: before.text + word.text, endMs: word.endMs };
	}
	return glued;
}

function paragraphWords(paragraphs: readonly MaybeTimed[]): Timed[] {
	const timed = repairTimestamps(orderedParagraphs(paragraphs));
	return timed.flatMap(({ text, startMs, endMs }) => spread(tokensOf(text), startMs, endMs));
}

function tokensOf(text: string): Array<{ text: string }> {
	return text.split(' ').map((token) => ({ text: token }));
}

function withText<T extends MaybeTimed>(entries: readonly T[]): T[] {
	return entries
		.map((entry) => ({ ...entry, text: onOneLine(entry.text) }))
		.filter(({ text }) => text !== '');
}

/** The words with the paragraphs' spelling, if these say exactly the same words. */
function spelledAs(words: MaybeTimed[], paragraphs: readonly MaybeTimed[]): MaybeTimed[] {
	const tokens = paragraphs.flatMap(({ text }) => tokensOf(text));
	const isSame =
		tokens.length === words.length &&
		tokens.every(({ text }, index) => bareWord(text) === bareWord(words[index].text));
	return isSame ? words.map((word, index) => ({ ...word, text: tokens[index].text })) : words;
}

function bareWord(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
