/** What a recognizer says of words, in the order text, start, end; a time may be missing. */
export type SaidWord = readonly [text: string, start?: unknown, end?: unknown];

/** Returns an answer in `verbose_json` with the times of its words. */
export function answerOf(words: readonly SaidWord[], more: object = {}) {
	return {
		language: 'english',
		text: words.map(([text]) => text).join(' '),
		words: words.map(([word, start, end]) => ({ word, start, end })),
		...more,
	};
}
