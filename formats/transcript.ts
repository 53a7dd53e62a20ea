import type { EditResult, Transcription } from '../api/contract';
import { listTime, usableSeconds } from './clock';
import { speakersOf } from './speakers';
import { type SpokenWord, orderedParagraphs, timedWords } from './timedWords';
import { joinWords } from './wordRow';

/** What stands before each paragraph of a transcript. */
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
 * The transcript as plain text, a blank line between paragraphs. A speaker is named where another
 * begins to speak; a time stands before each paragraph that has one.
 *
 * @returns undefined where nothing was transcribed
 */
export function transcriptText(
	result: EditResult | undefined,
	{ hasSpeakers, hasTimes }: TranscriptOptions,
): string | undefined {
	const paragraphs = paragraphsOf(result?.transcription);
	if (paragraphs.length === 0) return undefined;
	let speaking: string | undefined;
	const blocks = paragraphs.map(({ text, startSeconds, speaker }) => {
		const time = hasTimes && startSeconds !== undefined ? `[${listTime(startSeconds)}] ` : '';
		const isNew = speaker !== speaking;
		speaking = speaker;
		const name = hasSpeakers && speaker !== undefined && isNew ? `${speaker}: ` : '';
		return `${time}${name}${text}`;
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
		// The middle: at its edges a paragraph touches the one of somebody else.
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
	for (const word of words) {
		const group = groups.at(-1);
		const before = group?.at(-1);
		const goesOn =
			before !== undefined &&
			before.speaker === word.speaker &&
			word.startMs - before.endMs < PARAGRAPH_PAUSE_MS;
		if (goesOn) group?.push(word);
		else groups.push([word]);
	}
	return groups.map(([first, ...others]) => ({
		text: joinWords([first, ...others].map(({ text }) => text)),
		startSeconds: first.startMs / 1_000,
		speaker: first.speaker,
	}));
}
