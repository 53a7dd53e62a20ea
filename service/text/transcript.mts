import type { SpokenWord } from '../shared/timeRanges.mts';
import type { Paragraph } from './paragraphs.mts';

/**
 * `result.transcription` (api.md#transcription); times from the start of the edited file.
 *
 * @param areSpeakersGuessed whether speakers of one track were told apart by their voices.
 */
export function transcriptionOf(paragraphs: readonly Paragraph[], areSpeakersGuessed = false) {
	const words = paragraphs
		.flatMap((paragraph) => paragraph.words)
		.toSorted((a, b) => a.startSeconds - b.startSeconds);
	const timed = ({ startSeconds, endSeconds }: SpokenWord | Paragraph, id: number) => ({
		id,
		start: Math.round(startSeconds * 1000) / 1000,
		end: Math.round(endSeconds * 1000) / 1000,
	});
	return {
		paragraphs: paragraphs.map((one, id) => ({ ...timed(one, id), text: one.text })),
		transcription: {
			words: words.map((word, id) => ({ ...timed(word, id), text: word.text })),
			paragraphs: paragraphs.map((one, id) => ({
				...timed(one, id),
				speaker: one.speaker,
				track: one.track,
			})),
		},
		...(areSpeakersGuessed && { speakers_guessed: true }),
	};
}
