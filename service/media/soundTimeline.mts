import type { MediaInfo } from './probe.mts';

/** Containers without times, or with times that merely count the samples: nothing can be missing between them. */
const COUNTED = new Set(['wav', 'w64', 'mp3', 'flac', 'aiff', 'aac', 'caf', 'au', 'amr', 'ac3']);

/** Programs that record write times that are a few milliseconds off, and a packet may be 20 ms long. */
const MIN_HOLE_SECONDS = 0.02;

/** A jump within the times shows a hole. Without one, a clock just runs a little slower than another. */
const MIN_JUMP_SECONDS = 0.01;

/** A longer jump, and one back in time, is a clock that was set: nothing is missing there. */
export const MAX_HOLE_SECONDS = 21_600;
const MAX_BACK_SECONDS = 0.5;

/**
 * ffmpeg takes the tags that begin a further chain in Ogg for a packet: of this length in Opus, and in FLAC as long as
 * the one that follows.
 */
const OPUS_TAGS_SECONDS = 0.96;

/** ffmpeg joins what is further apart in Ogg and MPEG, by default after ten seconds. */
const KEEP_HOLES = ['-dts_delta_threshold', String(MAX_HOLE_SECONDS)];

/** What ffmpeg gets so that sound stays where the file's times say. */
export interface SoundTimeline {
	/** Options for ffmpeg as a whole. */
	options: readonly string[];
	/** A filter that turns what is missing into silence; undefined if nothing can be. */
	filter?: string;
}

/**
 * Returns how the sound of a file keeps its times. With a picture, it starts at time 0 of the file's timeline, and
 * follows its clock. Without one, its lead and each hole in it (somebody was muted, a packet was lost) become
 * silence; no sample is touched.
 */
export function soundTimeline({
	container = '',
	hasVideo = false,
	codec = '',
	leadSeconds = 0,
}: Partial<Pick<MediaInfo, 'container' | 'hasVideo' | 'codec' | 'leadSeconds'>>): SoundTimeline {
	if (hasVideo) return { options: [], filter: 'aresample=async=1:first_pts=0' };
	if (COUNTED.has(container)) return { options: [] };
	const fill = 'aresample=async=1:min_hard_comp=0.001:first_pts=0';
	const times = withHoles(container, codec, leadSeconds);
	return { options: KEEP_HOLES, filter: `asetpts='${times}',${fill}` };
}

/**
 * An ffmpeg expression for the time of each frame: right after the one before, or after a hole. In its variables: 0 is
 * the end of the last frame as written, 1 as read, and 2 what to add to a time as read.
 */
function withHoles(container: string, codec: string, leadSeconds: number): string {
	const ticks = (seconds: number) => `${seconds}/TB`;
	const jump = '(PTS-ld(1))';
	const tags = codec === 'flac' ? 'S' : ticks(OPUS_TAGS_SECONDS);
	const sets = [
		`lt(${jump},-${ticks(MAX_BACK_SECONDS)})`,
		`gt(${jump},${ticks(MAX_HOLE_SECONDS)})`,
		...(container === 'ogg' ? [`lt(abs(${jump}-${tags}),2)`] : []),
	];
	const isLate = `gt(PTS+ld(2)-ld(0),${ticks(MIN_HOLE_SECONDS)})`;
	const isHole = `gt(${jump},${ticks(MIN_JUMP_SECONDS)})*${isLate}`;
	const next = `if(${sets.join('+')},(st(2,ld(0)-PTS);ld(0)),if(${isHole},PTS+ld(2),ld(0)))`;
	const lead = ticks(leadSeconds);
	return `st(3,if(N,${next},(st(2,${lead}-PTS);${lead})));st(0,ld(3)+S);st(1,PTS+S);ld(3)`;
}
