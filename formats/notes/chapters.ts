import { type EditResult, isWebUrl } from '../../api/contract';
import { listTime, onOneLine, usableSeconds } from '../values';

/** A chapter; its time is missing where the service gives no usable one. */
interface Chapter {
	readonly title: string;
	readonly startSeconds?: number;
	/** A web page about it, and a picture. */
	readonly url?: string;
	readonly imageUrl?: string;
}

type TimedChapter = Chapter & { readonly startSeconds: number };

/** YouTube ignores all chapters when one of them is shorter. */
export const MIN_CHAPTER_SECONDS = 10;

/** The chapters with a title: first those with a time, in order and one per time, then the rest. */
export function chaptersOf(result: EditResult | undefined): Chapter[] {
	const chapters = (result?.summarization?.chapters ?? [])
		.map(({ start, title, url, img }) => ({
			title: onOneLine(title),
			startSeconds: usableSeconds(start),
			...(isLink(url) && { url }),
			...(isLink(img) && { imageUrl: img }),
		}))
		.filter(({ title }) => title !== '');
	const timed = timedOnly(chapters)
		.sort((one, other) => one.startSeconds - other.startSeconds)
		.filter(({ startSeconds }, index, all) => startSeconds !== all[index - 1]?.startSeconds);
	return [...timed, ...chapters.filter(({ startSeconds }) => startSeconds === undefined)];
}

/**
 * The result with chapters that a person entered instead of those of the summary. It need not have a summary.
 *
 * @param chapters the start in seconds
 */
export function withChapters(
	result: EditResult | undefined,
	chapters: ReadonlyArray<{
		readonly startSeconds: number;
		readonly title: string;
		readonly url?: string;
		readonly imageUrl?: string;
	}>,
): EditResult | undefined {
	const given = chapters.map(({ startSeconds, title, url, imageUrl }) => ({
		start: startSeconds,
		title,
		...(url !== undefined && { url }),
		...(imageUrl !== undefined && { img: imageUrl }),
	}));
	return (
		result && {
			...result,
			summarization: { summaries: [], ...result.summarization, chapters: given },
		}
	);
}

/** The chapters with a title and a time, in order and one per time. */
export function timedChaptersOf(result: EditResult | undefined): TimedChapter[] {
	return timedOnly(chaptersOf(result));
}

/**
 * The chapters for a feed's `podcast:chapters` tag: Podcasting 2.0 "JSON chapters" version 1.2.
 *
 * @returns undefined where no chapter has a time
 */
export function jsonChapters(result: EditResult | undefined) {
	const chapters = timedChaptersOf(result);
	if (chapters.length === 0) return undefined;
	const ofEpisode = onOneLine(result?.summarization?.title ?? '');
	return {
		version: '1.2.0',
		...(ofEpisode !== '' && { title: ofEpisode }),
		...(result?.filename && { fileName: result.filename }),
		chapters: chapters.map(({ startSeconds, title, url, imageUrl }) => ({
			startTime: startSeconds,
			title,
			...(url !== undefined && { url }),
			...(imageUrl !== undefined && { img: imageUrl }),
		})),
	};
}

/**
 * The chapters for lists of YouTube and Spotify, at whole seconds. Both want the first one at 00:00. A chapter
 * that starts within 10 s of the one before is left out.
 */
export function listedChapters(result: EditResult | undefined): TimedChapter[] {
	const listed: TimedChapter[] = [];
	for (const { title, startSeconds } of timedChaptersOf(result)) {
		const before = listed.at(-1);
		const wholeSeconds = before === undefined ? 0 : Math.floor(startSeconds);
		if (before === undefined || wholeSeconds - before.startSeconds >= MIN_CHAPTER_SECONDS) {
			listed.push({ title, startSeconds: wholeSeconds });
		}
	}
	return listed;
}

/** The listed chapters as lines `00:00 Title`; undefined where no chapter has a time. */
export function chapterList(result: EditResult | undefined): string | undefined {
	const lines = listedChapters(result).map(
		({ title, startSeconds }) => `${listTime(startSeconds)} ${title}\n`,
	);
	return lines.join('') || undefined;
}

const isLink = (value: unknown): value is string => typeof value === 'string' && isWebUrl(value);

function timedOnly(chapters: readonly Chapter[]): TimedChapter[] {
	return chapters.filter((chapter): chapter is TimedChapter => chapter.startSeconds !== undefined);
}
