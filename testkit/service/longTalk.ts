import { TALK, sayWords } from './results';

/** Seconds and words of a paragraph. */
const PARAGRAPH_WORDS = 60;

/** A chapter for each of these many paragraphs. */
const CHAPTER_PARAGRAPHS = 15;

/** Returns the texts of an edit with this many words: a transcript with times, speakers, chapters and posts. */
export function longTalk(wordCount: number) {
	const once = TALK.split(' ');
	const said = Array.from({ length: wordCount }, (_, index) => once[index % once.length]);
	const words = sayWords(said.join(' '));
	const spans = Array.from({ length: Math.ceil(wordCount / PARAGRAPH_WORDS) }, (_, id) => {
		const spoken = words.slice(id * PARAGRAPH_WORDS, (id + 1) * PARAGRAPH_WORDS);
		const text = spoken.map((word) => word.text).join(' ');
		return { id, start: spoken[0].start, end: spoken[spoken.length - 1].end, text };
	});
	const chapters = spans
		.filter(({ id }) => id % CHAPTER_PARAGRAPHS === 0)
		.map(({ start, text }) => ({ start, title: text.slice(0, 40) }));
	return {
		transcription: {
			paragraphs: spans,
			transcription: {
				words,
				paragraphs: spans.map(({ id, start, end }) => {
					return { id, start, end, speaker: `Speaker ${1 + (id % 2)}` };
				}),
			},
		},
		summarization: {
			title: 'Bread and Time',
			summary: TALK,
			chapters,
			summaries: chapters.map(() => TALK),
			key_learnings: '- Patience\n- Time',
			summary_of_summary: TALK,
			episode_description: TALK,
		},
		social_content: { newsletter: TALK, twitter_thread: TALK, linkedin: TALK },
	};
}
