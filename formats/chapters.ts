import type { EditResult } from '../api/contract';
import { listTime, usableSeconds } from './clock';
import { onOneLine } from './plainText';

/** A chapter with its time, as far as the service gives one. */
export interface Chapter {
	readonly title: string;
	readonly startSeconds?: number;
}

/** A chapter that has a time. */
interface TimedChapter extends Chapter {
	readonly startSeconds: number;
}

/** A chapters file, Podcasting 2.0 "JSON chapters" version 1.2, as far as the service fills it. */
export interface JsonChapters {
	readonly version: '1.2.0';
	readonly title?: string;
	readonly fileName?: string;
	readonly chapters: ReadonlyArray<{ readonly startTime: number; readonly title: string }>;
}

/** YouTube ignores all chapters when one of them is shorter. */
const SHORTEST_LISTED_SECONDS = 10;

/** The chapters that have a title, timed ones in the order of their times, each time once. */
export function chaptersOf(result: EditResult | undefined): Chapter[] {
	const chapters = (result?.summarization?.chapters ?? [])
		.map(({ start, title }) => ({ title: onOneLine(title), startSeconds: usableSeconds(start) }))
		.filter(({ title }) => title !== '');
	const timed = timedOnly(chapters).sort((one, other) => one.startSeconds - other.startSeconds);
	const untimed = chapters.filter(({ startSeconds }) => startSeconds === undefined);
	const once = timed.filter(
		({ startSeconds }, index) => index === 0 || startSeconds !== timed[index - 1].startSeconds,
	);
	return [...once, ...untimed.map(({ title }) => ({ title }))];
}

/**
 * The chapters for a podcast feed's `podcast:chapters` tag, media type `application/json+chapters`.
 *
 * @returns undefined where no chapter has a time
 */
export function jsonChapters(result: EditResult | undefined): JsonChapters | undefined {
	const chapters = timedOnly(chaptersOf(result));
	if (chapters.length === 0) return undefined;
	const title = onOneLine(result?.summarization?.title ?? '');
	return {
		version: '1.2.0',
		...(title !== '' && { title }),
		...(result?.filename && { fileName: result.filename }),
		chapters: chapters.map(({ startSeconds, title: name }) => ({
			startTime: startSeconds,
			title: name,
		})),
	};
}

/**
 * The lines `00:00 Title` that YouTube and Spotify make chapters of. Both want the first one at 00:00,
 * and YouTube at least 10 s a chapter: the first chapter is listed from the beginning, and one that
 * follows too closely is left to the one before.
 *
 * @returns undefined where no chapter has a time
 */
export function chapterList(result: EditResult | undefined): string | undefined {
	const listed: TimedChapter[] = [];
	for (const { title, startSeconds } of timedOnly(chaptersOf(result))) {
		const before = listed.at(-1);
		const wholeSeconds = Math.floor(startSeconds);
		if (before === undefined) listed.push({ title, startSeconds: 0 });
		else if (wholeSeconds - before.startSeconds >= SHORTEST_LISTED_SECONDS)
			listed.push({ title, startSeconds: wholeSeconds });
	}
	if (listed.length === 0) return undefined;
	return listed.map(({ title, startSeconds }) => `${listTime(startSeconds)} ${title}\n`).join('');
}

function timedOnly(chapters: readonly Chapter[]): TimedChapter[] {
	return chapters.filter((chapter): chapter is TimedChapter => chapter.startSeconds !== undefined);
}
