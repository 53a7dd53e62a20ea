import type { EditResult } from '../../api/contract';
import { MIN_CHAPTER_SECONDS, listedChapters } from './chapters';
import { markdownToText } from './markdownText';
import { descriptionOf } from './showNotes';
import { timedWords } from '../transcript/timedWords';
import { cutText, listTime } from '../values';

/**
 * The longest description that all platforms accept: 4,000 bytes at Apple Podcasts and Spotify, 5,000 at YouTube
 * (https://developers.google.com/youtube/v3/docs/videos#snippet.description).
 */
const DESCRIPTION_BYTES = 4_000;

/** The chapters get at most this much of it, so that there is room for the text. */
const CHAPTERS_BYTES = 3_000;

export const MIN_CHAPTERS = 3;
const MAX_TITLE_LENGTH = 100;

interface ListedChapter {
	readonly startSeconds: number;
	readonly lengthSeconds: number;
	readonly line: string;
}

/**
 * Returns the description of an episode in plain text, with chapters as lines `00:00 Title`. YouTube,
 * Spotify and Apple Podcasts require at least three chapters, the first at 00:00, each at least 10 s long.
 * With fewer, it has only the text. It has no `<` and `>`, which YouTube refuses.
 *
 * Sources: https://support.google.com/youtube/answer/9884579,
 * https://support.spotifyforpodcasters.com/hc/articles/360043932711,
 * https://podcasters.apple.com/support/5482-using-chapters-on-apple-podcasts
 *
 * @returns undefined if nothing was summarized
 */
export function episodeDescription(result: EditResult | undefined): string | undefined {
	const list = chapterLines(result).join('\n');
	const room = DESCRIPTION_BYTES - bytesOf(list) - 3;
	const text = cutToBytes(plain(markdownToText(descriptionOf(result))), room);
	const parts = [text, list].filter((part) => part !== '');
	return parts.length > 0 ? `${parts.join('\n\n')}\n` : undefined;
}

/** The lines of the chapters; of the longest chapters if there is no room for all. */
function chapterLines(result: EditResult | undefined): string[] {
	let bytes = 0;
	const isFirst = ({ startSeconds }: ListedChapter) => Number(startSeconds === 0);
	const fitting = measuredChapters(result)
		.sort((one, other) => isFirst(other) - isFirst(one) || longer(one, other))
		.filter(({ line }) => (bytes += bytesOf(line) + 1) <= CHAPTERS_BYTES)
		.sort((one, other) => one.startSeconds - other.startSeconds);
	return fitting.length < MIN_CHAPTERS ? [] : fitting.map(({ line }) => line);
}

function longer(one: ListedChapter, other: ListedChapter): number {
	return other.lengthSeconds - one.lengthSeconds || one.startSeconds - other.startSeconds;
}

/** The listed chapters of which the last is long enough, too. */
function measuredChapters(result: EditResult | undefined): ListedChapter[] {
	const endSeconds = (timedWords(result?.transcription).at(-1)?.endMs ?? Infinity) / 1_000;
	const starts = listedChapters(result).filter(
		({ startSeconds }) => startSeconds === 0 || endSeconds - startSeconds >= MIN_CHAPTER_SECONDS,
	);
	return starts.map(({ startSeconds, title }, index) => ({
		startSeconds,
		lengthSeconds: (starts[index + 1]?.startSeconds ?? endSeconds) - startSeconds,
		line: `${listTime(startSeconds)} ${cutText(plain(title), MAX_TITLE_LENGTH)}`,
	}));
}

function plain(text: string): string {
	return text.replaceAll('<', '‹').replaceAll('>', '›');
}

function bytesOf(text: string): number {
	return Buffer.byteLength(text);
}

/** The text, cut after a word to at most a number of bytes. */
function cutToBytes(text: string, maxBytes: number): string {
	let cut = cutText(text, maxBytes);
	for (let length = cut.length; bytesOf(cut) > maxBytes; length -= 50) cut = cutText(cut, length);
	return cut;
}
