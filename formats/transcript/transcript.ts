import type { EditResult, Transcription } from '../../api/contract';
import { joinWords } from './cueLines';
import { speakersOf } from './speakers';
import { type SpokenWord, orderedParagraphs, timedWords } from './timedWords';
import { listTime, usableSeconds } from '../values';

/** What is written before each paragraph of a transcript. */
export interface TranscriptOptions {
	readonly hasSpeakers: boolean;
	readonly hasTimes: boolean;
}

interface Paragraph {
	readonly text: string;
	readonly startSeconds?: number;
	readonly speaker?: string;
}

/** A silence between words that begins a new paragraph where the service gives words only. */
const PARAGRAPH_PAUSE_MS = 2_000;

/**
 * The transcript as plain text, a blank line between paragraphs. A paragraph names its speaker where the
 * speaker changes, and its time where it has one.
 *
 * @returns undefined where nothing was transcribed
 */
export function transcriptText(
	result: EditResult | undefined,
	{ hasSpeakers, hasTimes }: TranscriptOptions,
): string | undefined {
	const paragraphs = paragraphsOf(result?.transcription);
	if (paragraphs.length === 0) return undefined;
	const blocks = paragraphs.map(({ text, startSeconds, speaker }, index) => {
		const time = hasTimes && startSeconds !== undefined ? `[${listTime(startSeconds)}] ` : '';
		const isNew = speaker !== undefined && speaker !== paragraphs[index - 1]?.speaker;
		return `${time}${hasSpeakers && isNew ? `${speaker}: ` : ''}${text}`;
	});
	return `${blocks.join('\n\n')}\n`;
}

function paragraphsOf(transcription: Transcription | null | undefined): Paragraph[] {
	const paragraphs = orderedParagraphs(transcription?.paragraphs ?? []);
	if (paragraphs.length === 0) return paragraphsFromWords(transcription);
	const speakerAt = speakersOf(transcription);
	return paragraphs.map(({ text, start, end }) => {
		const startSeconds = usableSeconds(start);
		if (startSeconds === undefined) return { text };
		const endSeconds = Math.max(startSeconds, usableSeconds(end) ?? startSeconds);
		// The middle, since the start and the end may lie in the turn of another speaker.
		return { text, startSeconds, speaker: speakerAt((startSeconds + endSeconds) * 500) };
	});
}

function paragraphsFromWords(transcription: Transcription | null | undefined): Paragraph[] {
	const words = timedWords(transcription);
	if (words.length === 0) {
		const texts = orderedParagraphs(transcription?.transcription?.words ?? []);
		return texts.length > 0 ? [{ text: joinWords(texts.map(({ text }) => text)) }] : [];
	}
	const groups: SpokenWord[][] = [];
	words.forEach((word, index) => {
		const before = words[index - 1];
		const isNew =
			before?.speaker !== word.speaker ||
			word.startMs - (before?.endMs ?? -Infinity) >= PARAGRAPH_PAUSE_MS;
		if (isNew) groups.push([word]);
		else groups.at(-1)?.push(word);
	});
	return groups.map((group) => ({
		text: joinWords(group.map(({ text }) => text)),
		startSeconds: group[0].startMs / 1_000,
		speaker: group[0].speaker,
	}));
}
