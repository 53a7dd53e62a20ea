import type { EditResult } from '../../shared/contract.mts';
import { clock } from '../review/page/client/times.mts';

/** Returns the texts of an edit to read: title, summary, chapters with their times, and the transcript. */
export function readableTexts({ summarization, transcription }: EditResult): string {
	const { title, summary, chapters = [] } = summarization ?? {};
	const times = chapters.map(({ start, title: name }) =>
		start === undefined ? name : `${clock(start)} ${name}`,
	);
	const paragraphs = transcription?.paragraphs.map(({ text }) => text) ?? [];
	const parts = [title, summary, times.join('\n'), ...paragraphs];
	return parts.filter(Boolean).join('\n\n') || 'Nothing was said.';
}
