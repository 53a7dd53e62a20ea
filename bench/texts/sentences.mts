/** Sentences and their length in words. */
import type { Block } from './prose.mts';

/** A sentence, and where it begins. */
export interface Sentence {
	readonly path: string;
	readonly line: number;
	readonly text: string;
}

/** Their periods end no sentence. */
const ABBREVIATIONS = /\b(e\.g|i\.e|etc|vs|approx|no|resp|cf)\.(?= )/gi;

/** Looks like a letter to the segmenter, and is in no text of ours. */
const PERIOD = '\uE000';

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Returns the sentences of a text without line breaks. */
export function splitSentences(text: string): string[] {
	const guarded = text
		.replace(ABBREVIATIONS, (short) => short.replaceAll('.', PERIOD))
		// The segmenter sees no sentence that begins with a small letter, such as one about n8n.
		.replace(/(?<=[.!?]['")]* )[a-z]/g, (letter) => letter.toUpperCase());
	const parts = [...SEGMENTER.segment(guarded)].map(({ segment, index }) =>
		text.slice(index, index + segment.length).trim(),
	);
	return parts.filter((part) => part !== '');
}

export function sentencesOf(path: string, blocks: readonly Block[]): Sentence[] {
	return blocks.flatMap(({ line, text }) =>
		splitSentences(text).map((sentence) => ({ path, line, text: sentence })),
	);
}

/** Returns the number of words: what has a letter or a digit between two spaces. */
export function countWords(sentence: string): number {
	return sentence.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
}

/** Returns the 95th percentile of the lengths in words by nearest rank, or 0 without a sentence. */
export function lengthP95(sentences: readonly Sentence[]): number {
	const lengths = sentences.map(({ text }) => countWords(text)).sort((one, other) => one - other);
	return lengths[Math.ceil(lengths.length * 0.95) - 1] ?? 0;
}
