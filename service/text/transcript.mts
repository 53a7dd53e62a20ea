import type { SpokenWord } from '../shared/timeRanges.mts';

/** A paragraph of the transcript, by one speaker. */
export interface Paragraph {
	startSeconds: number;
	endSeconds: number;
	text: string;
	speaker: string;
	words: SpokenWord[];
}

/** A pause of this length always ends a paragraph. */
const PARAGRAPH_PAUSE_SECONDS = 2;

/** From this length on, a paragraph ends with the next sentence, or else the next short pause. */
const LONG_PARAGRAPH_WORDS = 60;
const SHORT_PAUSE_SECONDS = 0.35;

/** Maximum length of a paragraph. */
const LONGEST_PARAGRAPH_WORDS = 150;

const SENTENCE_END = /[.!?…。！？]["'”’)\]]*$/u;

/** Returns whether a sentence ends with this word. */
export function endsSentence(word: string): boolean {
	return SENTENCE_END.test(word);
}

/** The label of a track's speaker. Several speakers on one track share a label. */
export function speakerOfTrack(trackIndex: number): string {
	return `SPEAKER_${String(trackIndex).padStart(2, '0')}`;
}

/**
 * Groups each track's words into paragraphs, sorted by start. Each track is one speaker, so an
 * interjection on another track does not split a sentence.
 */
export function paragraphsOf(tracks: ReadonlyArray<readonly SpokenWord[]>): Paragraph[] {
	return tracks
		.flatMap((words, index) => paragraphsOfTrack(words, speakerOfTrack(index)))
		.toSorted((a, b) => a.startSeconds - b.startSeconds);
}

function paragraphsOfTrack(words: readonly SpokenWord[], speaker: string): Paragraph[] {
	const groups: SpokenWord[][] = [];
	for (const word of words) {
		const group = groups.at(-1);
		if (group === undefined || beginsParagraph(group, word)) groups.push([word]);
		else group.push(word);
	}
	return groups.map((group) => ({
		startSeconds: group[0].startSeconds,
		endSeconds: group[group.length - 1].endSeconds,
		text: group.map((word) => word.text).join(' '),
		speaker,
		words: group,
	}));
}

function beginsParagraph(group: readonly SpokenWord[], word: SpokenWord): boolean {
	const last = group[group.length - 1];
	const pauseSeconds = word.startSeconds - last.endSeconds;
	if (pauseSeconds >= PARAGRAPH_PAUSE_SECONDS) return true;
	if (group.length >= LONGEST_PARAGRAPH_WORDS) return true;
	if (group.length < LONG_PARAGRAPH_WORDS) return false;
	return endsSentence(last.text) || pauseSeconds >= SHORT_PAUSE_SECONDS;
}

/** Rounds seconds to milliseconds. */
function rounded(seconds: number): number {
	return Math.round(seconds * 1000) / 1000;
}

/** `result.transcription`, spec "result.transcription"; times from the start of the edited file. */
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
