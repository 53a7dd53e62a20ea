import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { fileArgument, guardedInput } from '../ffmpeg/guardedInput.mts';
import { probeFile, runFfmpeg } from '../ffmpeg/runFfmpeg.mts';
import { readReport, type MediaReport } from '../ffmpeg/report.mts';
import { contentTags } from './tags.mts';
import { isDiskFull, TransientTrouble } from '../../shared/failures.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/** A chapter, in seconds from the start of the recording. */
export interface Chapter extends TimeRange {
	title: string;
}

/** A cover picture in its own file. */
export interface Cover {
	path: string;
	codec: 'mjpeg' | 'png';
	width: number;
	height: number;
}

/** Returns the media type of a cover. */
export function mediaTypeOf({ codec }: Cover): string {
	return codec === 'png' ? 'image/png' : 'image/jpeg';
}

/** What a media file says about its content. */
export interface Metadata {
	/** By ffmpeg's generic names (`title`, `album_artist`); other tags by their own name. */
	tags: ReadonlyMap<string, string>;
	chapters: readonly Chapter[];
	cover: Cover | null;
}

/** The metadata of a file that has none. */
export const NO_METADATA: Metadata = { tags: new Map(), chapters: [], cover: null };

/** The table of contents of an MP3 has no room for more. */
const MAX_CHAPTERS = 255;

/** The ffmpeg build of 2018 reads lines of at most 1 KB. */
const MAX_TITLE_CHARACTERS = 200;

/** The base64 in an Ogg file is a third larger; FLAC holds up to 16 MB. */
const MAX_COVER_BYTES = 10_485_760;

/** All tags, which may be as long as a file. */
const ALL_TAGS = ['stream_tags', 'format_tags'];

const chapterSchema = z.object({
	start_time: z.coerce.number(),
	end_time: z.coerce.number(),
	tags: z.object({ title: z.string().catch('') }).catch({ title: '' }),
});

/** Chapters are in the header: no decoder need be opened. */
const HEADER_ONLY = ['-nofind_stream_info'];

const chapterReportSchema = z.object({ chapters: z.array(chapterSchema) });

/**
 * Reads tags, chapters and cover of a client's file. Metadata never fails an edit: what is unusable
 * is left out, and a note for the log and the page says so.
 *
 * @param workFolder gets the cover.
 * @throws Error when the disk is full, the signal's reason when aborted.
 */
export async function readMetadata(
	path: string,
	workFolder: string,
	signal?: AbortSignal,
): Promise<{ metadata: Metadata; notes: string[] }> {
	const notes: string[] = [];
	const attempt = async <T,>(what: string, read: () => Promise<T>, otherwise: T): Promise<T> => {
		try {
			return await read();
		} catch (error) {
			signal?.throwIfAborted();
			if (isDiskFull(error) || error instanceof TransientTrouble) throw error;
			notes.push(`left out the ${what} of the source: unreadable or too large`);
			return otherwise;
		}
	};
	const [report, chapters] = await Promise.all([
		attempt('tags and cover', () => readReport(path, signal, ALL_TAGS), null),
		attempt('chapters', () => readChapters(path, signal), []),
	]);
	if (chapters.length > MAX_CHAPTERS) {
		notes.push(`kept the first ${MAX_CHAPTERS} of ${chapters.length} chapters`);
	}
	const found = { ...NO_METADATA, chapters: chapters.slice(0, MAX_CHAPTERS) };
	if (report === null) return { metadata: found, notes };
	const { tags, dropped } = tagsOf(report);
	if (dropped > 0) notes.push(`left out tags of the source for their length: ${dropped}`);
	const cover = await attempt('cover', () => readCover(report, path, workFolder, signal), null);
	return { metadata: { ...found, tags, cover }, notes };
}

/** The audio stream has the tags in an Ogg file, and only the language in others. */
function tagsOf({ streams, format }: MediaReport) {
	const own = streams.find(({ codec_type }) => codec_type === 'audio')?.tags ?? {};
	const { language = '' } = own;
	return contentTags({ ...(format.format_name === 'ogg' ? own : { language }), ...format.tags });
}

async function readChapters(path: string, signal?: AbortSignal): Promise<Chapter[]> {
	const entries = 'chapter=start_time,end_time:chapter_tags=title';
	const report = await probeFile(path, entries, signal, HEADER_ONLY);
	const { chapters } = chapterReportSchema.parse(report);
	const inOrder = chapters.toSorted((a, b) => a.start_time - b.start_time);
	return inOrder.map(({ start_time, end_time, tags }, index) => ({
		startSeconds: Math.max(0, start_time),
		// Some programs write no end.
		endSeconds: end_time > start_time ? end_time : (inOrder[index + 1]?.start_time ?? Infinity),
		title: tags.title.replaceAll('\0', '').slice(0, MAX_TITLE_CHARACTERS),
	}));
}

/** @throws Error for a cover that is too large, neither JPEG nor PNG, or cannot be decoded. */
async function readCover(
	{ streams }: MediaReport,
	sourcePath: string,
	workFolder: string,
	signal?: AbortSignal,
): Promise<Cover | null> {
	const covers = streams.filter(({ disposition }) => disposition.attached_pic === 1);
	const cover = covers.find(({ tags }) => tags.comment === 'Cover (front)') ?? covers.at(0);
	if (!cover) return null;
	const { index, width, height, codec_name: codec } = cover;
	// ffprobe finds no size in what is not a picture.
	const isPicture = (codec === 'mjpeg' || codec === 'png') && width > 0 && height > 0;
	if (!isPicture) throw new Error('The cover is neither JPEG nor PNG');
	const path = join(workFolder, 'cover');
	const copy = ['-map', `0:${index}`, '-c', 'copy', '-frames:v', '1', '-f', 'image2pipe'];
	await runFfmpeg([...guardedInput(sourcePath), ...copy, fileArgument(path)], signal);
	if ((await stat(path)).size > MAX_COVER_BYTES) throw new Error('The cover is too large');
	return { path, codec, width, height };
}
