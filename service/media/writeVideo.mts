import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { pcmFormatArguments, type PcmSource } from './pcmFile.mts';
import type { Picture } from './picture.mts';
import { newTime, newTimeExpression } from './pictureTimes.mts';
import type { MediaInfo } from './probe.mts';
import { fileArgument, guardedInput } from './guardedInput.mts';
import { feedFfmpeg } from './runFfmpeg.mts';
import { muxerArguments, pictureArguments, soundRecipe } from './videoFormat.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/** A video to be written: the picture of the source with new sound. */
export interface VideoOrder {
	sourcePath: string;
	picture: Picture;
	/** The finished sound; it begins where the source's timeline begins. */
	sound: PcmSource;
	/** The source's sound, whose codec, rate and channels are kept where the container can. */
	info: MediaInfo;
	/** Length of the sound at the source's sample rate. */
	sourceRateFrames: number;
	/** What was cut out of the sound, on the source's timeline, in order; then the picture is cut, too. */
	removed: readonly TimeRange[];
	workFolder: string;
	outputPath: string;
}

/** The sound is long encoded when the first picture comes: where minutes are cut at the beginning. */
const WAITING_PACKETS = 10_000;

/**
 * Writes a video. Without cuts the picture is copied as it is. With cuts it is encoded again at a
 * constant frame rate: each picture is shown at the time that the sound of its moment has moved
 * to, rounded to the nearest frame, so that however many cuts there are nothing adds up.
 *
 * Of several sounds and pictures the first is written. Subtitles are kept only where nothing is
 * cut. Tags (a phone's place, say) are dropped.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function writeVideo(order: VideoOrder, signal?: AbortSignal): Promise<void> {
	const { sourcePath, picture, sound, outputPath, removed } = order;
	const pictureOptions = removed.length === 0 ? copied(picture) : await cut(order);
	await feedFfmpeg(
		[
			...guardedInput(sourcePath),
			...[...pcmFormatArguments(sound), '-i', 'pipe:0'],
			...['-map', `0:${picture.streamIndex}`, '-map', '1:a'],
			...pictureOptions,
			...soundOptions(order),
			...['-bitexact', '-map_metadata', '-1', '-max_muxing_queue_size', String(WAITING_PACKETS)],
			...muxerArguments(picture.container),
			fileArgument(outputPath),
		],
		sound.chunks(0, sound.frames),
		signal,
	);
}

function copied({ container }: Picture): string[] {
	const subtitles = container === 'avi' ? [] : ['-map', '0:s?', '-c:s', 'copy'];
	return ['-c:v', 'copy', ...subtitles];
}

/** The filter goes through a file: with thousands of cuts it is too long for an argument. */
async function cut(order: VideoOrder): Promise<string[]> {
	const { picture, removed, workFolder } = order;
	const filters = [
		`setpts='(${newTimeExpression(removed)})/TB'`,
		`fps=${picture.frameRate}`,
		...endOf(order),
		// Half the colours need even sizes.
		'crop=trunc(iw/2)*2:trunc(ih/2)*2',
	];
	const scriptPath = join(workFolder, 'picture-filter.txt');
	await writeFile(scriptPath, filters.join(','));
	const filter = ['-filter_script:v', scriptPath, '-map_chapters', '-1'];
	return [...filter, ...pictureArguments(picture.container)];
}

/**
 * The build of 2018 goes on with the last picture until the time that was the end before the cuts.
 * The sound's length is heeded, too: a header may say less than there is.
 */
function endOf({ picture, removed, info, sourceRateFrames }: VideoOrder): string[] {
	if (picture.durationSeconds === null) return [];
	const pictureSeconds = newTime(picture.durationSeconds, removed);
	const soundSeconds = sourceRateFrames / info.sampleRateHz;
	return [`trim=end=${Math.max(pictureSeconds, soundSeconds).toFixed(6)}`];
}

function soundOptions({ picture, info, sourceRateFrames }: VideoOrder): string[] {
	const { codecArguments, gain, sampleRateHz } = soundRecipe(picture.container, info);
	const frames = Math.round((sourceRateFrames * sampleRateHz) / info.sampleRateHz);
	const filters = `volume=${gain},aresample=${sampleRateHz},apad=whole_len=${frames},atrim=end_sample=${frames}`;
	return ['-af', filters, ...codecArguments];
}
