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

/** Recognizers' answers for the talk, by which nothing may be cut. */
export const DISBELIEVED: Readonly<Record<string, object>> = {
	'an "Um" of 11 s': answerOf([['Um', 1.5, 12.5]]),
	'an "uh" of 2.5 s': answerOf([['uh', 1, 3.5]]),
	'a filler of another language that lasts 6 s': answerOf([['ähm', 2, 8]], { language: 'german' }),
	'an "um" of 1.9 s over several words': answerOf([['um', 8.4, 10.3]]),
	'an "um" of 1.9 s over words and a pause': answerOf([['um', 3.6, 5.5]]),
	'an "um" of 2 s after the other': answerOf(
		[0, 2, 4, 6, 8, 10].map((start) => ['um', start + 0.3, start + 2.3]),
	),
	'a "the" of 11 s before another': answerOf([
		['the', 1.5, 12.4],
		['the', 12.5, 12.7],
	]),
	'a "the" before another of 9 s': answerOf([
		['the', 2, 2.6],
		['the', 2.65, 11.5],
	]),
	'a broken-off word of 10 s': answerOf([
		['b-', 2, 12],
		['but', 12.1, 12.4],
	]),
	'"the the" with other words between': answerOf([
		['the', 8.3, 8.5],
		['the', 9.1, 9.3],
	]),
	'fillers without times': answerOf([
		['so', 1, 1.3],
		['um', null, null],
		['uh', null, undefined],
		['then', 4, 4.3],
	]),
	'an "um" without an end': answerOf([
		['um', 2, null],
		['then', 3.8, 4],
	]),
	'an "um" without a start': answerOf([
		['so', 1, 1.2],
		['um', null, 3.2],
	]),
	'an "um" that ends before it begins': answerOf([['um', 9.5, 8.5]]),
	'times that begin anew': answerOf([
		['so', 8.4, 8.6],
		['um', 0.4, 0.9],
	]),
	'an "um" in a segment without word times': {
		text: 'Um, the the show.',
		segments: [{ text: 'Um, the the show.', start: 0.4, end: 3 }],
	},
	'an "um" of 11 s in the words of a segment': {
		text: 'Um.',
		segments: [{ text: 'Um.', start: 1, end: 12, words: [{ text: 'Um', start: 1, end: 12 }] }],
	},
};
