import { dottedExtensionOf } from '../shared/fileNames.mts';
import { isPictureStream, readReport, type MediaReport } from './ffmpeg/report.mts';
import { readPictureRuns, type PictureRuns } from './pictureRuns.mts';

/** Video containers we write; each is also the file extension. */
export type VideoContainer = 'mp4' | 'mov' | 'webm' | 'avi' | 'mkv';

/** The video stream of a file. */
export interface Picture {
	/** Index of the stream in the file. */
	streamIndex: number;
	/** ffmpeg's name for its codec, such as `h264`. */
	codec: string;
	/** Frames per second in ffmpeg's notation: `30000/1001`. */
	frameRate: string;
	/** Of a frame as it is stored, in pixels. */
	width: number;
	height: number;
	/** When it shows its pictures. */
	times: PictureRuns;
	/** The container; `mkv` for one that we read but do not write. */
	container: VideoContainer;
	/** The subtitles beside it. */
	subtitles: readonly Subtitles[];
}

/** One stream of subtitles. */
export interface Subtitles {
	/** Index of the stream in the file. */
	streamIndex: number;
	/** ffmpeg's name for its codec, such as `subrip`. */
	codec: string;
}

/** Common frame rates, in ffmpeg's notation. */
const USUAL_FRAME_RATES = [
	'10/1',
	'12/1',
	'15/1',
	'20/1',
	'24000/1001',
	'24/1',
	'25/1',
	'30000/1001',
	'30/1',
	'50/1',
	'60000/1001',
	'60/1',
];

/** A higher rate is usually the container's time base, unless the average rate confirms it. */
const MAX_USUAL_RATE = 60;

/** Cameras that are slowed down afterwards are not faster. */
const MAX_RATE = 240;

/** At a lower one, as of slides, the pictures would move too far after a cut: at `SLIDES_RATE`, by up to 25 ms. */
const MIN_RATE = 10;
const SLIDES_RATE = '20/1';

const WEBM_CODECS: ReadonlySet<string> = new Set(['vp8', 'vp9', 'av1', 'opus', 'vorbis']);

/**
 * Returns the video stream of a media file; null if it has none (cover art does not count) or an empty one.
 *
 * @param name the file's name from the client: it distinguishes Matroska from WebM.
 * @param limitSeconds of a longer picture, the times end shortly after that.
 * @throws MediaToolError when the file cannot be read, the signal's reason when aborted.
 */
export async function probePicture(
	path: string,
	name: string,
	limitSeconds: number,
	signal?: AbortSignal,
): Promise<Picture | null> {
	const report = await readReport(path, signal);
	const stream = report.streams.find(isPictureStream);
	if (!stream) return null;
	const times = await readPictureRuns(path, stream.index, limitSeconds, signal);
	if (times.runs.length === 0) return null;
	return {
		streamIndex: stream.index,
		codec: stream.codec_name,
		frameRate: frameRateOf(stream.r_frame_rate, stream.avg_frame_rate),
		width: stream.width,
		height: stream.height,
		times,
		container: containerOf(report, name),
		subtitles: report.streams
			.filter(({ codec_type }) => codec_type === 'subtitle')
			.map(({ index, codec_name }) => ({ streamIndex: index, codec: codec_name })),
	};
}

/**
 * Returns the constant frame rate for a video that is cut: its own, or, if variable, the rate that
 * fits all its frames. If that is unknown, the next common rate above the average.
 */
export function frameRateOf(finest: string, average: string): string {
	const finestRate = framesPerSecond(finest);
	const averageRate = framesPerSecond(average);
	const isConstant = Math.abs(finestRate / averageRate - 1) < 0.01;
	const fastestRate = isConstant ? MAX_RATE : MAX_USUAL_RATE;
	if (finestRate >= MIN_RATE && finestRate <= fastestRate) return finest;
	const wanted = averageRate > 0 ? averageRate * 0.99 : 30;
	if (wanted < MIN_RATE) return SLIDES_RATE;
	return USUAL_FRAME_RATES.find((rate) => framesPerSecond(rate) >= wanted) ?? '60/1';
}

/** Converts a rate such as `30000/1001` to a number; 0 if it is undefined. */
export function framesPerSecond(text: string): number {
	const [numerator, denominator] = text.split('/').map(Number);
	const value = numerator / denominator;
	return Number.isFinite(value) ? value : 0;
}

function containerOf({ format, streams }: MediaReport, name: string): VideoContainer {
	const { format_name: formatName, tags } = format;
	const { major_brand: brand = '' } = tags;
	// QuickTime files were older than brands.
	if (formatName.startsWith('mov,')) return /^(qt|$)/.test(brand) ? 'mov' : 'mp4';
	if (formatName === 'avi') return 'avi';
	const fitsWebm = streams
		.filter(({ codec_type }) => codec_type === 'video' || codec_type === 'audio')
		.every(({ codec_name }) => WEBM_CODECS.has(codec_name));
	const isMatroska = formatName.startsWith('matroska');
	return isMatroska && fitsWebm && dottedExtensionOf(name) !== '.mkv' ? 'webm' : 'mkv';
}
