import { ara, bul, deu, eng, fra, ita, nld, pol, por, ron, spa, tur } from 'stopword';

import type { TimeRange } from '../shared/timeRanges.mts';
import type { Paragraph } from './paragraphs.mts';
import { endsSentence } from '../shared/sentenceEnd.mts';

/** A sentence of the transcript or, without punctuation, the words between two pauses. */
export interface Sentence extends TimeRange {
	text: string;
	/** Its words that carry meaning, in lower case. */
	terms: string[];
}

/** Without punctuation, a pause of this length ends a sentence. */
const SENTENCE_PAUSE_SECONDS = 0.3;

/** Maximum length of a sentence. */
const MAX_SENTENCE_WORDS = 40;

const STOP_WORDS = [eng, deu, ron, fra, nld, bul, ara, tur, pol, ita, spa, por].map(
	(words) => new Set(words),
);

/** Common spoken English that the stop word list lacks. */
const SPOKEN_FILLERS = new Set(
	(
		'will would could really thing things going gonna okay yeah like know think mean well actually ' +
		'kind sort lot something anything everything want just get got say said maybe right'
	).split(' '),
);

/** Shorter words are rarely a topic. */
const MIN_TERM = 4;

/** The words of a text without punctuation, in lower case. */
function bareWords(text: string): string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Returns the stop words of the predominant language, among those the service edits. */
function stopWordsOf(words: readonly string[]): ReadonlySet<string> {
	const hits = STOP_WORDS.map((list) => words.filter((word) => list.has(word)).length);
	return STOP_WORDS[hits.indexOf(Math.max(...hits))];
}

/** Splits the transcript into sentences. */
export function sentencesOf(paragraphs: readonly Paragraph[]): Sentence[] {
	const stopWords = stopWordsOf(paragraphs.flatMap(({ text }) => bareWords(text)));
	return paragraphs.flatMap(({ words }) => {
		const isPunctuated = words.some(({ text }) => endsSentence(text));
		const groups: Array<typeof words> = [];
		words.forEach((word, index) => {
			const last = words.at(index - 1);
			const begins =
				index === 0 ||
				last === undefined ||
				endsSentence(last.text) ||
				(!isPunctuated && word.startSeconds - last.endSeconds >= SENTENCE_PAUSE_SECONDS) ||
				(groups.at(-1)?.length ?? 0) >= MAX_SENTENCE_WORDS;
			if (begins) groups.push([word]);
			else groups.at(-1)?.push(word);
		});
		return groups.map((group) => {
			const text = group.map((word) => word.text).join(' ');
			const isTerm = (word: string) => {
				// `we're` means as little as `we`.
				const [stem = ''] = word.split(/['’]/);
				const isEmpty = stopWords.has(stem) || stopWords.has(word) || SPOKEN_FILLERS.has(word);
				return stem.length >= MIN_TERM && !isEmpty;
			};
			return {
				text,
				startSeconds: group[0].startSeconds,
				endSeconds: group[group.length - 1].endSeconds,
				terms: bareWords(text).filter(isTerm),
			};
		});
	});
}

/** Counts how often each term occurs. */
export function countTerms(sentences: readonly Sentence[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { terms } of sentences) {
		for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
	}
	return counts;
}
