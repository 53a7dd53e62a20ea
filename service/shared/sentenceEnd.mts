const SENTENCE_END = /[.!?…。！？]["'”’)\]]*$/u;

/** A dot after these does not end a sentence: titles, initials and the like (`Dr.`, `J.`, `e.g.`). */
const ABBREVIATION = /^["'“‘([]*(?:(?!i\.)\p{L}|(?:\p{L}\.)+\p{L}|dr|mrs?|ms|prof|st|vs)\.$/iu;

/** Returns whether a sentence ends with this word. */
export function endsSentence(word: string): boolean {
	return SENTENCE_END.test(word) && !ABBREVIATION.test(word);
}
