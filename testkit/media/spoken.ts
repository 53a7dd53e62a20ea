const SENTENCES =
	'Podcasts are made of words. Listeners read words, too. Chapters help them find words.';

/** The output of a speech recognizer: three sentences in every recording, a word every 0.2 s. */
export const SPOKEN = {
	text: SENTENCES,
	duration: 4,
	words: SENTENCES.split(' ').map((word, index) => ({
		word,
		start: index * 0.2,
		end: index * 0.2 + 0.18,
	})),
	segments: [{ id: 0, start: 0, end: 3, text: SENTENCES }],
};
