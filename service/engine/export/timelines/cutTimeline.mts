import { framesPerSecond } from '../../../media/picture.mts';
import { sharedRanges } from '../../sharedTimeline.mts';
import type { IndexRange, TimeRange } from '../../../shared/timeRanges.mts';
import type { EditMode } from '../../editedAudio.mts';
import type { KitOnTimeline, Media } from '../waveform.mts';
import { kitFile, sectionsWithKit } from './kitSections.mts';
import { TOLERANCE_FRAMES, type Section, type TimelineFile } from './sections.mts';

/** A recording as its client sent it, and what is cut out of it. */
export interface CutRecording {
	/** The files, which begin at the same moment. Names are from the client. */
	tracks: readonly { name: string; seconds: number; media: Media }[];
	mode: EditMode;
	cuts: readonly TimeRange[];
	/** What was put into it. */
	kit?: readonly KitOnTimeline[] | undefined;
}

/** The size of a timeline without a picture. */
export const NO_PICTURE = { width: 1920, height: 1080 };

/** A timeline of what stays. */
export interface CutTimeline {
	title: string;
	/** Frames per second in ffmpeg's notation, and as a number. */
	frameRate: string;
	framesPerSecond: number;
	/** Its length. */
	frames: number;
	files: readonly TimelineFile[];
	sections: readonly Section[];
}

/**
 * Returns the timeline of what stays of a recording: each border, and what is between them, is within half a frame of
 * where it is in the edited file.
 *
 * @param soundRate frames per second for a recording without a picture, in ffmpeg's notation. One with a picture has
 * the picture's.
 */
export function cutTimeline(
	{ tracks, mode, cuts, kit = [] }: CutRecording,
	soundRate: string,
): CutTimeline {
	const picture = tracks.find(({ media }) => media.picture)?.media.picture;
	const frameRate = picture?.frameRate ?? soundRate;
	const rate = framesPerSecond(frameRate);
	const files = tracks
		.map(({ name, seconds, media }) => {
			const url = `./${encodeURIComponent(name)}`;
			return { url, name, media, frames: Math.floor(seconds * rate + TOLERANCE_FRAMES) };
		})
		.toSorted((a, b) => Number(b.media.picture !== null) - Number(a.media.picture !== null));
	const ranges = mode === 'cut' ? cutFrames(sharedRanges(cuts), rate) : mutedFrames(cuts, rate);
	const own = sectionsOf(files, withoutRest(ranges, files), mode);
	const parts = kit.map((part) => ({ part, file: kitFile(part, rate) }));
	const sections = sectionsWithKit(own, parts, rate);
	const title = `${tracks[0].name.replace(/\.[^.]*$/, '')} (cut)`;
	const frames = sections.reduce((sum, section) => sum + section.frames, 0);
	const all = [...files, ...parts.map(({ file }) => file)];
	return { title, frameRate, framesPerSecond: rate, frames, files: all, sections };
}

/** Rounds each border by itself: nothing moves. */
function mutedFrames(cuts: readonly TimeRange[], rate: number): IndexRange[] {
	return sharedRanges(cuts).map(({ startSeconds, endSeconds }) => {
		return { start: Math.round(startSeconds * rate), end: Math.round(endSeconds * rate) };
	});
}

/**
 * Rounds where each cut is in the edited file, and the sum of what was cut, so that nothing adds up: a border in the
 * recording is then at most a frame off.
 */
function cutFrames(ranges: readonly TimeRange[], rate: number): IndexRange[] {
	let removedSeconds = 0;
	return ranges.map(({ startSeconds, endSeconds }) => {
		const before = removedSeconds;
		removedSeconds += endSeconds - startSeconds;
		const place = Math.round((startSeconds - before) * rate);
		const [start, end] = [before, removedSeconds].map((it) => place + Math.round(it * rate));
		return { start, end };
	});
}

/** A cut that ends a frame before the recording leaves nothing of it. */
function withoutRest(
	ranges: readonly IndexRange[],
	files: readonly TimelineFile[],
): readonly IndexRange[] {
	const last = ranges.at(-1);
	const end = Math.max(...files.map(({ frames }) => frames));
	if (last === undefined || end - last.end > 1) return ranges;
	return [...ranges.slice(0, -1), { start: last.start, end }];
}

/** @param ranges what is cut, in order and without overlap. */
function sectionsOf(
	files: readonly TimelineFile[],
	ranges: readonly IndexRange[],
	mode: EditMode,
): Section[] {
	const borders = new Set([0, ...files.map(({ frames }) => frames)]);
	for (const { start, end } of ranges) borders.add(start).add(end);
	const inOrder = [...borders].toSorted((a, b) => a - b);
	let [next, position] = [0, 0];
	return inOrder.slice(1).flatMap((end, index): Section[] => {
		const start = inOrder[index];
		while (next < ranges.length && ranges[next].end <= start) next++;
		const isCut = next < ranges.length && ranges[next].start <= start;
		const there = files.filter(({ frames }) => frames >= end);
		if (there.length === 0 || (isCut && mode === 'cut')) return [];
		const section = { start, frames: end - start, position, isMuted: isCut, files: there };
		position += section.frames;
		return [section];
	});
}

/** A name from a client, as a format of lines can hold it. */
export function oneLine(name: string): string {
	return name.replace(/\p{Cc}/gu, ' ');
}
