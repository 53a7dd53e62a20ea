import { joinWords } from './cueLines';
import { endsSentence } from './phrases';
import type { SpokenWord } from './timedWords';

/** A sentence of one speaker, in whole milliseconds from the start of the edited file. */
export interface Sentence extends SpokenWord {
	/** Whether it ends with a punctuation mark, or with a pause if the transcript has no punctuation. */
	readonly isComplete: boolean;
}

/** A pause that ends a sentence in a transcript without punctuation. */
const SENTENCE_PAUSE_MS = 700;

/** With fewer than one sentence end in this many words, the transcript has no punctuation. */
const MAX_WORDS_A_SENTENCE = 100;

/** The words of a transcript as sentences. A change of speaker also ends a sentence, an incomplete one. */
export function sentencesOf(words: readonly SpokenWord[]): Sentence[] {
	const ends = words.filter(({ text }) => endsSentence(text)).length;
	const isPunctuated = ends * MAX_WORDS_A_SENTENCE >= words.length;
	const sentences: Sentence[] = [];
	let from = 0;
	words.forEach((word, index) => {
		const next: SpokenWord | undefined = words[index + 1];
		const isPause = (next?.startMs ?? Infinity) - word.endMs >= SENTENCE_PAUSE_MS;
		const isComplete = isPunctuated ? endsSentence(word.text) : isPause;
		if (!isComplete && next !== undefined && next.speaker === word.speaker) return;
		sentences.push({
			startMs: words[from].startMs,
			endMs: Math.max(word.startMs, word.endMs),
			text: joinWords(words.slice(from, index + 1).map(({ text }) => text)),
			speaker: word.speaker,
			isComplete,
		});
		from = index + 1;
	});
	return sentences;
}
