import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import type { CarriedMetadata } from './tags/carryMetadata.mts';
import { pcmFormatArguments, type PcmSource } from './pcmFile.mts';
import { framesPerSecond, type Picture, type Subtitles } from './picture.mts';
import { MAX_STILL_SECONDS, withoutStills } from './pictureRuns.mts';
import { chosenFramesExpression, newTime, newTimeExpression } from './pictureTimes.mts';
import type { MediaInfo } from './probe.mts';
import { fileArgument, guardedInput, MAX_PIXELS } from './ffmpeg/guardedInput.mts';
import { MediaToolError, OverTimeLimit } from './ffmpeg/program.mts';
import { feedFfmpeg, USUAL_MEMORY_BYTES } from './ffmpeg/runFfmpeg.mts';
import { soundRecipe, VIDEO_RECIPES } from './videoFormat.mts';
import { isShortage, tooLargePicture, UnusableInput } from '../shared/failures.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/** A video to write: the picture of the source with new audio. */
export interface VideoRequest {
	sourcePath: string;
	picture: Picture;
	/** The finished audio; it starts at time 0 of the source's timeline. */
	sound: PcmSource;
	/** The output keeps the codec, rate and channels of this audio where the container allows. */
	info: MediaInfo;
	/** Length of the audio at the source's sample rate. */
	sourceRateFrames: number;
	/** Ranges cut from the audio and so from the picture, on the source's timeline, in order. */
	removed: readonly TimeRange[];
	carried: CarriedMetadata;
	workFolder: string;
	outputPath: string;
}

/** Packets to buffer: after a long cut at the start, much audio precedes the first frame. */
const WAITING_PACKETS = 10_000;

/** Microseconds of pictures that wait for the next subtitle; ffmpeg's ten seconds of them may take a gigabyte. */
const SOON = ['-max_interleave_delta', '1000000'];

/**
 * Writes a video. Without cuts, the picture is copied, or encoded if its container refuses it. With cuts, it is
 * re-encoded at a constant frame rate; where no new picture comes for more than a second, once a second. Each frame
 * moves with the audio of its moment, to the nearest frame time, so that errors do not accumulate.
 *
 * Only one audio and one video stream are written. Subtitles are kept only if nothing is cut.
 *
 * @returns notes on what could not be kept.
 * @throws UnusableInput when the picture can be neither copied nor encoded, MediaToolError when ffmpeg lacks something,
 * the signal's reason when aborted.
 */
export async function writeVideo(request: VideoRequest, signal?: AbortSignal): Promise<string[]> {
	for (const { isEncoded, subtitles } of waysToWrite(request)) {
		try {
			const options = isEncoded ? await encoded(request) : copied(subtitles);
			await write(request, { isEncoded, options }, signal);
			return notesOn(request, { isEncoded, subtitles });
		} catch (error) {
			if (!(error instanceof MediaToolError) || isShortage(error)) throw error;
			if (error instanceof OverTimeLimit || tooLargePicture(error) !== undefined) throw error;
		}
	}
	throw new UnusableInput(
		"The file's picture can be neither copied nor decoded. Turn off 'video' to edit its sound alone, or convert it to MP4 with another program.",
	);
}

/** One way to write a video. */
interface Way {
	isEncoded: boolean;
	subtitles: readonly Subtitles[];
}

/** The ways to write a video, the best first. */
function waysToWrite({ picture, removed }: VideoRequest): Way[] {
	const encoding = { isEncoded: true, subtitles: [] };
	if (removed.length > 0) return [encoding];
	const takes = VIDEO_RECIPES[picture.container].subtitles;
	const subtitles = picture.subtitles.filter(({ codec }) => takes.includes(codec));
	const copying = { isEncoded: false, subtitles };
	return [copying, ...(subtitles.length > 0 ? [{ ...copying, subtitles: [] }] : []), encoding];
}

/** Says what a copy does not keep. After cuts, nobody expects a copy. */
function notesOn({ picture, removed }: VideoRequest, { isEncoded, subtitles }: Way): string[] {
	if (removed.length > 0) return [];
	const container = picture.container.toUpperCase();
	const lost = picture.subtitles.length - subtitles.length;
	return [
		...(isEncoded ? [`encoded the picture, which ${container} does not hold as it is`] : []),
		...(lost > 0 ? [`left out subtitles, which ${container} does not hold: ${lost}`] : []),
	];
}

async function write(
	{ sourcePath, picture, sound, carried, outputPath, ...request }: VideoRequest,
	{ isEncoded, options }: { isEncoded: boolean; options: readonly string[] },
	signal?: AbortSignal,
): Promise<void> {
	await feedFfmpeg(
		[
			...guardedInput(sourcePath),
			...pcmFormatArguments(sound),
			'-i',
			'pipe:0',
			...carried.inputs,
			'-map',
			`0:${picture.streamIndex}`,
			'-map',
			'1:a',
			...options,
			...soundOptions({ picture, ...request }),
			'-bitexact',
			'-max_muxing_queue_size',
			String(WAITING_PACKETS),
			...carried.outputs,
			...VIDEO_RECIPES[picture.container].muxer,
			fileArgument(outputPath),
		],
		sound.chunks(0, sound.frames),
		signal,
		{ memoryBytes: USUAL_MEMORY_BYTES + (isEncoded ? encoderBytes(picture) : 0) },
	);
}

/** Pictures that are stored out of order are stored before they are shown, and an MP4 ends a second too soon by that. */
const IN_ORDER = ['-bf', '0'];

/** As many as ffmpeg chooses for H.264, up to 16 cores. */
const ENCODER_THREADS = Math.ceil(1.5 * Math.min(16, availableParallelism()));

/**
 * What the encoder may use besides. For 3840 × 2160 on two cores, libx264 needs 750 MB: it keeps pictures to look
 * ahead, and some for each of its threads.
 */
function encoderBytes({ width, height }: Picture): number {
	return Math.min(width * height, MAX_PIXELS) * (100 + 20 * ENCODER_THREADS);
}

function copied(subtitles: readonly Subtitles[]): string[] {
	if (subtitles.length === 0) return ['-c:v', 'copy'];
	const maps = subtitles.flatMap(({ streamIndex }) => ['-map', `0:${streamIndex}`]);
	return ['-c:v', 'copy', ...maps, '-c:s', 'copy', ...SOON];
}

/** The filter is passed in a file: with thousands of cuts it is too long for an argument. */
async function encoded(request: VideoRequest): Promise<string[]> {
	const { picture, removed, workFolder } = request;
	const endSeconds = endSecondsOf(request);
	const stills = stillsIn(request, endSeconds);
	const filters = [
		// An AVI counts time in pictures: of slides, one takes 5 s.
		'settb=1/1000000',
		`setpts='(${newTimeExpression(removed)})/TB'`,
		`fps=${picture.frameRate}`,
		// The last picture stays until the end.
		`tpad=stop_mode=clone:stop_duration=${endSeconds.toFixed(6)}`,
		...stills.filters,
		// The ffmpeg build of 2018 repeats the last frame until the end before the cuts.
		`trim=end=${endSeconds.toFixed(6)}`,
		// 4:2:0 needs even dimensions.
		'crop=trunc(iw/2)*2:trunc(ih/2)*2',
	];
	const scriptPath = join(workFolder, 'picture-filter.txt');
	await writeFile(scriptPath, filters.join(','));
	const encoder = VIDEO_RECIPES[picture.container].picture;
	const threads = ['-threads:v', String(ENCODER_THREADS)];
	return ['-filter_script:v:0', scriptPath, ...stills.options, ...encoder, ...threads];
}

/** Returns when the video ends: with its picture or its sound, whichever is longer. */
function endSecondsOf({ picture, removed, info, sourceRateFrames }: VideoRequest): number {
	const pictureSeconds = newTime(picture.times.endSeconds, removed);
	return Math.max(pictureSeconds, sourceRateFrames / info.sampleRateHz);
}

/**
 * Returns what leaves out repeated pictures where no new one comes for more than a second. A small file may say that
 * it shows one picture for hours.
 */
function stillsIn({ picture, removed }: VideoRequest, end: number) {
	const runs = withoutStills(
		picture.times.runs.map(({ startSeconds, endSeconds }) => ({
			startSeconds: newTime(startSeconds, removed),
			endSeconds: newTime(endSeconds, removed),
		})),
	);
	const [{ startSeconds }] = runs;
	const { endSeconds } = runs[runs.length - 1];
	const isStill = Math.max(startSeconds, end - endSeconds) > MAX_STILL_SECONDS || runs.length > 1;
	if (!isStill) return { filters: [], options: [] };
	const chosen = chosenFramesExpression(runs, 1 / framesPerSecond(picture.frameRate), end);
	return { filters: [`select='${chosen}'`], options: ['-vsync', 'vfr', ...IN_ORDER] };
}

function soundOptions({
	picture,
	info,
	sourceRateFrames,
}: Pick<VideoRequest, 'picture' | 'info' | 'sourceRateFrames'>): string[] {
	const recipe = soundRecipe(picture.container, info);
	const { codecArguments, gain, sampleRateHz, lateFrames } = recipe;
	const frames = Math.round((sourceRateFrames * sampleRateHz) / info.sampleRateHz);
	const filters = `volume=${gain},aresample=${sampleRateHz},atrim=start_sample=${lateFrames},asetpts=PTS-STARTPTS,apad=whole_len=${frames},atrim=end_sample=${frames}`;
	return ['-af', filters, ...codecArguments];
}
