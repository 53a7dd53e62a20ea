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

/**
 * Returns ffmpeg's filter that keeps the times of the sound of a file; undefined if it has none. With a picture, the
 * sound starts at time 0 of the file's timeline, and follows its clock. Without one, its lead and each hole in it
 * (somebody was muted, a packet was lost) become silence; no sample is touched. Holes that are too long for that are
 * given (`soundClock`).
 */
export function timelineFilter(
	sound: TimedSound & PcmFormat,
	longHoles: readonly LongHole[],
): string | undefined {
	if (sound.hasVideo) return onClock(longHoles, sound);
	if (!hasHoles(sound)) return undefined;
	const fill = 'aresample=async=1:min_hard_comp=0.001:first_pts=0';
	const short = `${timesAsRead(sound)}asetpts='${withHoles(sound)}',${fill}`;
	return withLongHoles(short, longHoles, sound);
}

/** A filter that follows the clock of the file, without its long holes and then with them. */
function onClock(holes: readonly LongHole[], format: PcmFormat): string {
	let before = 0;
	const gone = holes.map(({ atSeconds, seconds }) => {
		const middle = atSeconds + before + seconds / 2;
		before += seconds;
		return `gt(T,${middle.toFixed(6)})*${seconds.toFixed(6)}`;
	});
	const without = holes.length === 0 ? '' : `asetpts='PTS-(${gone.join('+')})/TB',`;
	return withLongHoles(`${without}aresample=async=1:first_pts=0`, holes, format);
}

/** Rates of MPEG sound, Hz. */
const MPEG_RATES_HZ = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025];

/**
 * A filter for the times as ffmpeg reads them, with a comma behind it; '' where they are right. Where MPEG sound
 * changes its rate, the first frame has the old rate and a time that was counted in the new one, which may be far ahead.
 */
export function timesAsRead({ codec = '' }: TimedSound): string {
	if (!/^mp[123]/.test(codec)) return '';
	const counted = MPEG_RATES_HZ.map((rate) => `lt(abs(PTS*SR/${rate}-ld(0)),SR/20)`).join('+');
	const isWrong = `N*gt(PTS-ld(0),SR/10)*gt(${counted},0)`;
	return `asetpts='st(1,if(${isWrong},ld(0),PTS));st(0,ld(1)+S);ld(1)',`;
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

/** A filter that puts silence between the parts of the sound that another one returns. */
function withLongHoles(
	filter: string,
	holes: readonly LongHole[],
	{ sampleRateHz, channels }: PcmFormat,
): string {
	if (holes.length === 0) return filter;
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
	return [`[in]${filter},asplit=${parts.length}${wholes}`, ...parts, ...silences, join].join(';');
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
