import { ara, bul, deu, eng, fra, ita, nld, pol, por, ron, spa, tur } from 'stopword';

import { endsSentence, type Paragraph } from './transcript.mts';

/** A sentence of the transcript, or what stands between two pauses where there is no punctuation. */
export interface Sentence {
	text: string;
	startSeconds: number;
	endSeconds: number;
	/** Its words that carry meaning, lower case. */
	terms: string[];
}

/** Without punctuation a pause of this length ends a sentence, in seconds. */
const SENTENCE_PAUSE_SECONDS = 0.3;

/** No sentence is longer. */
const LONGEST_SENTENCE_WORDS = 40;

const STOP_WORDS = [eng, deu, ron, fra, nld, bul, ara, tur, pol, ita, spa, por].map(
	(words) => new Set(words),
);

/** What people say a lot in English, and the list leaves out. */
const SPOKEN_FILLERS = new Set(
	(
		'will would could really thing things going gonna okay yeah like know think mean well actually ' +
		'kind sort lot something anything everything want just get got say said maybe right'
	).split(' '),
);

/** Shorter words are hardly ever what a recording is about. */
const SHORTEST_TERM = 4;

/** The bare words of a text, lower case. */
function bareWords(text: string): string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** The stop words of the language that most of the words belong to; of those the service edits. */
function stopWordsOf(words: readonly string[]): ReadonlySet<string> {
	const hits = STOP_WORDS.map((list) => words.filter((word) => list.has(word)).length);
	return STOP_WORDS[hits.indexOf(Math.max(...hits))];
}

/** The transcript as sentences. */
export function sentencesOf(paragraphs: readonly Paragraph[]): Sentence[] {
	const stopWords = stopWordsOf(paragraphs.flatMap(({ text }) => bareWords(text)));
	return paragraphs.flatMap(({ words }) => {
		const groups: Array<typeof words> = [];
		words.forEach((word, index) => {
			const last = words.at(index - 1);
			const begins =
				index === 0 ||
				last === undefined ||
				endsSentence(last.text) ||
				word.startSeconds - last.endSeconds >= SENTENCE_PAUSE_SECONDS ||
				(groups.at(-1)?.length ?? 0) >= LONGEST_SENTENCE_WORDS;
			if (begins) groups.push([word]);
			else groups.at(-1)?.push(word);
		});
		return groups.map((group) => {
			const text = group.map((word) => word.text).join(' ');
			const isTerm = (word: string) => {
				// `we're` is as empty as `we`.
				const [stem = ''] = word.split(/['’]/);
				const isEmpty = stopWords.has(stem) || stopWords.has(word) || SPOKEN_FILLERS.has(word);
				return stem.length >= SHORTEST_TERM && !isEmpty;
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

/** How often each term occurs. */
export function countTerms(sentences: readonly Sentence[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { terms } of sentences) {
		for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
	}
	return counts;
}
