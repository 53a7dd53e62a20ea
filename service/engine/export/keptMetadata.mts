import type { Metadata } from '../../media/tags/metadata.mts';
import { newTime } from '../../media/pictureTimes.mts';
import { chapterTimeWithKit, timeWithKit, type Insertion } from '../../shared/showKit.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/** A chapter with less than this left counts as cut. */
const MIN_CHAPTER_SECONDS = 0.05;

/**
 * Returns the metadata of an edited recording. Each chapter moves with its sound. One whose sound
 * was cut is left out.
 *
 * @param removed ranges cut from the source, in order.
 * @param lengthSeconds the length of the edited recording.
 */
export function metadataAfter(
	removed: readonly TimeRange[],
	metadata: Metadata,
	lengthSeconds: number,
): Metadata {
	const chapters = metadata.chapters
		.map(({ startSeconds, endSeconds, title }) => ({
			startSeconds: newTime(startSeconds, removed),
			endSeconds: Math.min(newTime(endSeconds, removed), lengthSeconds),
			title,
		}))
		.filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds > MIN_CHAPTER_SECONDS);
	return { ...metadata, chapters };
}

/** Returns the metadata of a recording with what was put into it after its cuts. */
export function metadataWithKit(insertions: readonly Insertion[], metadata: Metadata): Metadata {
	const chapters = metadata.chapters.map(({ startSeconds, endSeconds, title }) => ({
		startSeconds: chapterTimeWithKit(startSeconds, insertions),
		endSeconds: timeWithKit(endSeconds, insertions, 'end'),
		title,
	}));
	return { ...metadata, chapters };
}

/** Returns the metadata of a mix: each tag, the chapters and the cover from the first track that has it. */
export function metadataOfMix(tracks: readonly Metadata[]): Metadata {
	return {
		tags: new Map(tracks.toReversed().flatMap(({ tags }) => [...tags])),
		chapters: tracks.find(({ chapters }) => chapters.length > 0)?.chapters ?? [],
		cover: tracks.find(({ cover }) => cover !== null)?.cover ?? null,
	};
}
