import { framesPerSecond } from '../../../media/picture.mts';
import { sharedRanges } from '../../sharedTimeline.mts';
import type { IndexRange, TimeRange } from '../../../shared/timeRanges.mts';
import type { EditMode } from '../../editedAudio.mts';
import type { Media } from '../waveform.mts';

/** A recording as its client sent it, and what is cut out of it. */
export interface CutRecording {
	/** The files, which begin at the same moment. Names are from the client. */
	tracks: readonly { name: string; seconds: number; media: Media }[];
	mode: EditMode;
	cuts: readonly TimeRange[];
}

/** A file on a timeline. */
export interface TimelineFile {
	/** As editors find it: beside the timeline. */
	url: string;
	name: string;
	/** Its whole frames. */
	frames: number;
	media: Media;
}

/** A section of a timeline in which no file begins or ends, in frames of the uncut recording. */
export interface Section {
	start: number;
	frames: number;
	/** Silenced instead of cut out. */
	isMuted: boolean;
	/** What is there; a file with a picture comes first. */
	files: readonly TimelineFile[];
}

/** A timeline of what stays. */
export interface CutTimeline {
	title: string;
	/** Frames per second in ffmpeg's notation, and as a number. */
	frameRate: string;
	framesPerSecond: number;
	files: readonly TimelineFile[];
	sections: readonly Section[];
}

/** For recordings without a picture: the finest grid that video editors know. */
const AUDIO_FRAME_RATE = '60/1';

/** Returns the timeline of what stays of a recording. Its borders are the frames nearest to the cuts. */
export function cutTimeline({ tracks, mode, cuts }: CutRecording): CutTimeline {
	const picture = tracks.find(({ media }) => media.picture)?.media.picture;
	const frameRate = picture?.frameRate ?? AUDIO_FRAME_RATE;
	const rate = framesPerSecond(frameRate);
	const files = tracks
		.map(({ name, seconds, media }) => {
			const url = `./${encodeURIComponent(name)}`;
			return { url, name, media, frames: Math.floor(seconds * rate + TOLERANCE_FRAMES) };
		})
		.toSorted((a, b) => Number(b.media.picture !== null) - Number(a.media.picture !== null));
	const ranges = sharedRanges(cuts).map(({ startSeconds, endSeconds }) => ({
		start: Math.round(startSeconds * rate),
		end: Math.round(endSeconds * rate),
	}));
	const sections = sectionsOf(files, ranges, mode);
	const title = `${tracks[0].name.replace(/\.[^.]*$/, '')} (cut)`;
	return { title, frameRate, framesPerSecond: rate, files, sections };
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
	let next = 0;
	return inOrder.slice(1).flatMap((end, index): Section[] => {
		const start = inOrder[index];
		while (next < ranges.length && ranges[next].end <= start) next++;
		const isCut = next < ranges.length && ranges[next].start <= start;
		const there = files.filter(({ frames }) => frames >= end);
		if (there.length === 0 || (isCut && mode === 'cut')) return [];
		return [{ start, frames: end - start, isMuted: isCut, files: there }];
	});
}

/** Lengths are sums of samples, so a whole number of frames may lack this much. */
const TOLERANCE_FRAMES = 0.001;
