import type { Transcription } from '../../api/contract';
import {
	type MaybeTimed,
	type Timed,
	repairTimestamps,
	spread,
	timedCount,
} from './repairTimestamps';
import { speakersOf } from './speakers';
import { onOneLine } from '../values';

/** A word with its times, and its speaker where the service names one. */
export interface SpokenWord extends Timed {
	readonly speaker?: string;
}

/**
 * The words of a transcript with their times: those of the words, else spread over the paragraphs.
 * Where both say the same, words are spelled as in the paragraphs, which have the punctuation.
 *
 * @returns no words where the transcript has none, or no times at all
 */
export function timedWords(transcription: Transcription | null | undefined): SpokenWord[] {
	const paragraphs = withText(transcription?.paragraphs ?? []);
	const words = withText(transcription?.transcription?.words ?? []);
	const isWordTimed = timedCount(words) * 2 >= words.length && words.length > 0;
	const fromParagraphs = isWordTimed ? [] : paragraphWords(paragraphs);
	const timed =
		fromParagraphs.length > 0 ? fromParagraphs : repairTimestamps(spelledAs(words, paragraphs));
	const speakerAt = speakersOf(transcription);
	return withPunctuation(timed).map(({ text, startMs, endMs }) => {
		const speaker = speakerAt((startMs + endMs) / 2);
		return { text, startMs, endMs, ...(speaker !== undefined && { speaker }) };
	});
}

/** The paragraphs that have a text, on one line each, in the order of their times where all have one. */
export function orderedParagraphs<T extends MaybeTimed>(paragraphs: readonly T[]): T[] {
	const filled = withText(paragraphs);
	if (timedCount(filled) < filled.length) return filled;
	return filled.sort((one, other) => (one.start ?? 0) - (other.start ?? 0));
}

/** Joins punctuation that came as separate words to the word before. */
function withPunctuation(words: readonly Timed[]): Timed[] {
	const joined: Timed[] = [];
	for (const word of words) {
		const before = joined.at(-1);
		if (before === undefined || !/^[,.;:!?…%)\]}»”]+$/u.test(word.text)) joined.push(word);
		else
			joined[joined.length - 1] = { ...before, text: before.text + word.text, endMs: word.endMs };
	}
	return joined;
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
	return isSame ? words.map((word, index) => ({ ...word, ...tokens[index] })) : words;
}

function bareWord(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
