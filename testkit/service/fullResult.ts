import { sayWords } from './results';

/** The talk in the transcript of the full result. */
const TALK =
	'Welcome back to the Slow Kitchen. Today we talk to Maria Jones, who has run a bakery in Porto for twenty years.';
const ANSWER = 'Thank you! It is mostly patience & time.';

/**
 * Returns the `result` of an edit with everything on: transcription, summarize, social_content,
 * export_timestamps and merge.
 */
export function fullResult(serviceUrl: string) {
	const asked = sayWords(TALK);
	const answered = sayWords(ANSWER, 12);
	const words = [...asked, ...answered].map((word, id) => ({ ...word, id }));
	const link = (path: string) => `${serviceUrl}${path}?signature=link-secret`;
	return {
		video: false,
		filename: 'episode 12.mp3',
		download_url: link('/download/full'),
		statistics: { BREATH: 7, DEADAIR: 3, STUTTERING: 0, MOUTH_SOUND: 1, FILLER_SOUND: 12 },
		transcription: {
			paragraphs: [
				{ id: 0, start: 0, end: 11.5, text: TALK },
				{ id: 1, start: 12, end: 16, text: ANSWER },
			],
			transcription: {
				words,
				paragraphs: [
					{ id: 0, start: 0, end: 11.5, speaker: 'Speaker 1' },
					{ id: 1, start: 12, end: 16, speaker: 'Speaker 2' },
				],
			},
		},
		summarization: {
			title: 'Bread & Time',
			summary: 'Maria Jones on slow bread.',
			chapters: [
				{ start: 0, title: 'Welcome' },
				{ start: 12, title: 'Patience' },
			],
			summaries: ['Welcome to Maria.', 'What bread needs.'],
			key_learnings: '- Patience\n- **Time**',
			summary_of_summary: 'Slow bread.',
			episode_description: 'Maria bakes. See [her shop](https://shop.example/).',
		},
		social_content: {
			newsletter: '# Slow bread\n\nRead on.',
			twitter_thread: '<tweet>Bread & time</tweet><tweet>Listen now</tweet>',
			linkedin: 'We talked to Maria.',
		},
		merged_audio_url: [link('/merged/m.mp3')],
		timestamps_markers_urls: [link('/markers/m.txt')],
		waveform_result: [],
	};
}
