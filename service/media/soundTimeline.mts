import type { PcmFormat } from './pcmFile.mts';

/** Containers without times, or with times that merely count the samples: nothing can be missing between them. */
const COUNTED = new Set(['wav', 'w64', 'mp3', 'flac', 'aiff', 'aac', 'caf', 'au', 'amr', 'ac3']);

/** Programs that record write times that are a few milliseconds off, and a packet may be 20 ms long. */
const MIN_HOLE_SECONDS = 0.02;

/** A jump within the times shows a hole. Without one, a clock just runs a little slower than another. */
const MIN_JUMP_SECONDS = 0.01;

/** A longer jump, and one back in time, is a clock that was set: nothing is missing there. */
export const MAX_HOLE_SECONDS = 21_600;
export const MAX_BACK_SECONDS = 0.5;

/** ffmpeg keeps the silence that it fills a hole with in memory. A longer hole is filled from another source. */
export const MAX_FILLED_SECONDS = 60;

/**
 * ffmpeg takes the tags that begin a further chain in Ogg for a packet: of this length in Opus, and in FLAC as long as
 * the one that follows.
 */
const OPUS_TAGS_SECONDS = 0.96;

/** ffmpeg joins what is further apart in Ogg and MPEG, by default after ten seconds. */
export const KEEP_HOLES = ['-dts_delta_threshold', String(MAX_HOLE_SECONDS)];

/** A stretch without sound that is filled from another source. */
export interface LongHole {
	/** Its place in the sound without the long holes before it. */
	readonly atSeconds: number;
	readonly seconds: number;
}

/** What of a file decides about the timeline of its sound (`MediaInfo`). */
export interface TimedSound {
	/** ffmpeg's names. */
	container?: string;
	codec?: string;
	hasVideo?: boolean;
	leadSeconds?: number;
}

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
 * silence; no sample is touched. Holes that are too long for that are given (`longHolesOf`).
 */
export function soundTimeline(
	sound: TimedSound & PcmFormat,
	longHoles: readonly LongHole[],
): SoundTimeline {
	if (sound.hasVideo) return { options: [], filter: 'aresample=async=1:first_pts=0' };
	if (!hasHoles(sound)) return { options: [] };
	const fill = 'aresample=async=1:min_hard_comp=0.001:first_pts=0';
	const short = `asetpts='${withHoles(sound)}',${fill}`;
	return {
		options: KEEP_HOLES,
		filter: longHoles.length === 0 ? short : `[in]${short},${withLongHoles(longHoles, sound)}`,
	};
}

/** Whether holes in a file are filled by its times. */
export function hasHoles({ container = '', hasVideo = false }: TimedSound): boolean {
	return !hasVideo && !COUNTED.has(container);
}

/** The lead that is filled by the times, and the one that is a long hole; one of them is 0. */
export function leadsOf({ leadSeconds = 0 }: TimedSound): { short: number; long: number } {
	const isLong = leadSeconds > MAX_FILLED_SECONDS;
	return isLong ? { short: 0, long: leadSeconds } : { short: leadSeconds, long: 0 };
}

/** Filters that put silence between the parts of the sound. */
function withLongHoles(holes: readonly LongHole[], { sampleRateHz, channels }: PcmFormat): string {
	const ends = [...holes.map(({ atSeconds }) => atSeconds.toFixed(6)), undefined];
	const parts = ends.map((end, index) => {
		const start = index === 0 ? 0 : ends[index - 1];
		const range = end === undefined ? `start=${start}` : `start=${start}:end=${end}`;
		return `[whole${index}]atrim=${range},asetpts=PTS-STARTPTS[part${index}]`;
	});
	const silences = holes.map(
		({ seconds }, index) =>
			`anullsrc=r=${sampleRateHz}:cl=${channels}c,atrim=end=${seconds.toFixed(6)}[silence${index}]`,
	);
	const wholes = parts.map((_part, index) => `[whole${index}]`).join('');
	const order = holes.map((_hole, index) => `[part${index}][silence${index}]`).join('');
	const join = `${order}[part${holes.length}]concat=n=${2 * holes.length + 1}:v=0:a=1[out]`;
	return [`asplit=${parts.length}${wholes}`, ...parts, ...silences, join].join(';');
}

/**
 * An ffmpeg expression for the time of each frame: right after the one before, or after a hole. In its variables: 0 is
 * the end of the last frame as written, 1 as read, and 2 what to add to a time as read.
 */
function withHoles(sound: TimedSound): string {
	const { container, codec } = sound;
	const ticks = (seconds: number) => `${seconds}/TB`;
	const jump = '(PTS-ld(1))';
	const tags = codec === 'flac' ? 'S' : ticks(OPUS_TAGS_SECONDS);
	const sets = [
		`lt(${jump},-${ticks(MAX_BACK_SECONDS)})`,
		`gt(${jump},${ticks(MAX_FILLED_SECONDS)})`,
		...(container === 'ogg' ? [`lt(abs(${jump}-${tags}),2)`] : []),
	];
	const isLate = `gt(PTS+ld(2)-ld(0),${ticks(MIN_HOLE_SECONDS)})`;
	const isHole = `gt(${jump},${ticks(MIN_JUMP_SECONDS)})*${isLate}`;
	const next = `if(${sets.join('+')},(st(2,ld(0)-PTS);ld(0)),if(${isHole},PTS+ld(2),ld(0)))`;
	const lead = ticks(leadsOf(sound).short);
	return `st(3,if(N,${next},(st(2,${lead}-PTS);${lead})));st(0,ld(3)+S);st(1,PTS+S);ld(3)`;
}
