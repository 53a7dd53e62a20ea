import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isLossy, outputFormatFor } from '../media/outputFormat.mts';
import type { PcmSource } from '../media/pcmFile.mts';
import { probePicture, type Picture } from '../media/picture.mts';
import type { MediaInfo } from '../media/probe.mts';
import { soundRecipe } from '../media/videoFormat.mts';
import { editedAudio } from './editedAudio.mts';
import {
	CEILING_DBTP,
	CEILING_LOSSY_DBTP,
	normalizeLoudness,
	type LevelledSource,
} from './normalizeLoudness.mts';
import { rangesAtRate } from './sharedTimeline.mts';
import { readTrack, type Track } from './track.mts';
import { type EngineSource, type RecordingJob } from './types.mts';
import type { TimeRange } from '../shared/timeRanges.mts';
import { UnusableInput } from '../shared/failures.mts';

/** One file of a recording, read. */
export interface RecordingTrack extends Track {
	source: EngineSource;
	/** The picture to be kept with the sound; null for sound alone. */
	picture: Picture | null;
	/** What it sounds like before anything is cut. */
	sound: PcmSource;
}

/** One file of a recording before its sound is worked on. */
export type RawRecordingTrack = Omit<RecordingTrack, 'sound'>;

/** Reads one file of a recording, in its own work folder. */
export async function readRecordingTrack(
	job: RecordingJob,
	index: number,
	signal?: AbortSignal,
): Promise<RawRecordingTrack> {
	const { config, sources } = job;
	const source = sources[index];
	const workFolder = join(job.workFolder, `track-${index + 1}`);
	await mkdir(workFolder);
	const longestSourceSeconds = trackLimitSeconds(job);
	const order = { sourcePath: source.path, config, longestSourceSeconds, workFolder };
	const track = await readTrack(order, signal).catch((error: unknown) => {
		throw sources.length > 1 ? namingFile(error, source.name) : error;
	});
	const wantsPicture = config.video && track.info.hasVideo;
	const picture = wantsPicture ? await probePicture(source.path, source.name, signal) : null;
	return { ...track, source, picture };
}

/** Says which of several files cannot be used. */
function namingFile(error: unknown, name: string): unknown {
	return error instanceof UnusableInput ? new UnusableInput(`${name}: ${error.message}`) : error;
}

/** All tracks share the disk that one recording of two channels may fill; usually each is one voice. */
function trackLimitSeconds({ sources, longestSourceSeconds }: RecordingJob): number {
	return longestSourceSeconds / Math.max(1, sources.length / 2);
}

/** A track with the ranges cut or muted; they are the same moments on every track. */
export function cutTrack(
	{ sound }: RecordingTrack,
	ranges: readonly TimeRange[],
	{ config }: RecordingJob,
): PcmSource {
	const own = rangesAtRate(ranges, sound.sampleRateHz, sound.frames);
	return editedAudio(sound, own, config.muted ? 'mute' : 'cut');
}

/** Brings sound to the loudness that is asked for, if any. */
export async function levelSound(
	{ config }: RecordingJob,
	sound: PcmSource,
	ceilingDbtp: number,
	signal?: AbortSignal,
): Promise<LevelledSource> {
	if (!config.normalize || config.target_lufs === null) return sound;
	const goal = { targetLufs: config.target_lufs, gateLufs: config.mute_lufs, ceilingDbtp };
	return await normalizeLoudness(sound, goal, signal);
}

/** Highest true peak for the file that sound is written to, dBTP. */
export function ceilingDbtpOf(
	{ config }: RecordingJob,
	picture: Picture | null,
	info: MediaInfo,
): number {
	const willBeLossy = picture
		? soundRecipe(picture.container, info).isLossy
		: isLossy(outputFormatFor(config.export_format, info));
	return willBeLossy ? CEILING_LOSSY_DBTP : CEILING_DBTP;
}
