import type { SpokenWord } from '../shared/timeRanges.mts';
import type { Paragraph } from './paragraphs.mts';

/** Rounds seconds to milliseconds. */
function rounded(seconds: number): number {
	return Math.round(seconds * 1000) / 1000;
}

/** `result.transcription` (api.md#transcription); times from the start of the edited file. */
export function transcriptionOf(paragraphs: readonly Paragraph[]) {
	const words = paragraphs
		.flatMap((paragraph) => paragraph.words)
		.toSorted((a, b) => a.startSeconds - b.startSeconds);
	const timed = ({ startSeconds, endSeconds }: SpokenWord | Paragraph, id: number) => ({
		id,
		start: rounded(startSeconds),
		end: rounded(endSeconds),
	});
	return {
		paragraphs: paragraphs.map((paragraph, id) => ({
			...timed(paragraph, id),
			text: paragraph.text,
		})),
		transcription: {
			words: words.map((word, id) => ({ ...timed(word, id), text: word.text })),
			paragraphs: paragraphs.map((paragraph, id) => ({
				...timed(paragraph, id),
				speaker: paragraph.speaker,
			})),
		},
	};
}
