import type { EditResult } from '../../shared/contract.mts';
import { durationText } from './waveformSvg.mts';

/** The texts of a result that the page offers to read. */
export type ReadableTexts = Pick<EditResult, 'transcription' | 'summarization'>;

/** Returns the texts of an edit to read: title, summary, chapters with their times, and the transcript. */
export function readableTexts({ summarization, transcription }: ReadableTexts): string {
	const { title, summary, chapters = [] } = summarization ?? {};
	const times = chapters.map(({ start, title: name }) =>
		start === undefined ? name : `${durationText(start)} ${name}`,
	);
	const paragraphs = transcription?.paragraphs.map(({ text }) => text) ?? [];
	const parts = [title, summary, times.join('\n'), ...paragraphs];
	return `${parts.filter(Boolean).join('\n\n')}\n`;
}
