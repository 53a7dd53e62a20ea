import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { encode } from '../media/encode.mts';
import { outputFormatFor } from '../media/outputFormat.mts';
import { editedBaseName, numbered } from '../media/outputName.mts';
import type { PcmSource } from '../media/pcmFile.mts';
import type { Picture } from '../media/picture.mts';
import type { MediaInfo } from '../media/probe.mts';
import { writeVideo } from '../media/writeVideo.mts';
import { writeZip } from '../media/zip.mts';
import type { RecordingTrack } from './recordingTrack.mts';
import type { RecordingJob } from './types.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/** Sound that is ready to be written. */
export interface FinishedSound {
	/** Whose name and picture the output takes. */
	track: RecordingTrack;
	picture: Picture | null;
	/** The source's sound, or for a mix what it is to be. */
	info: MediaInfo;
	sound: PcmSource;
	/** Length at the rate of `info`. */
	sourceRateFrames: number;
}

/** Where an output goes, and what the picture loses with the sound. */
export interface Destination {
	folder: string;
	/** Without extension. */
	baseName: string;
	/** What was cut from the sound. */
	removed: readonly TimeRange[];
}

/** Writes one finished sound, with its picture if it has one. @returns the file's name. */
export async function exportSound(
	{ config }: RecordingJob,
	{ track, picture, info, sound, sourceRateFrames }: FinishedSound,
	{ folder, baseName, removed }: Destination,
	signal?: AbortSignal,
): Promise<string> {
	const format = outputFormatFor(config.export_format, info);
	const fileName = `${baseName}.${picture?.container ?? format}`;
	const outputPath = join(folder, fileName);
	if (picture) {
		const { source, workFolder } = track;
		const order = { sourcePath: source.path, workFolder, outputPath, picture, info, removed };
		await writeVideo({ ...order, sound, sourceRateFrames }, signal);
	} else {
		await encode({ audio: sound, info, format, outputPath, sourceRateFrames }, signal);
	}
	return fileName;
}

/** Writes each track to its own file and puts all files into one ZIP. @returns the ZIP's name. */
export async function exportZip(
	job: RecordingJob,
	sounds: readonly FinishedSound[],
	removed: readonly TimeRange[],
	signal?: AbortSignal,
): Promise<string> {
	const folder = join(job.workFolder, 'tracks');
	await mkdir(folder);
	const baseNames = numbered(sounds.map(({ track }) => editedBaseName(track.source.name)));
	const names: string[] = [];
	for (const [index, sound] of sounds.entries()) {
		const destination = { folder, baseName: baseNames[index], removed };
		names.push(await exportSound(job, sound, destination, signal));
		// An hour of sound is over a gigabyte of samples, and there may be many tracks.
		await rm(sound.track.workFolder, { recursive: true });
	}
	const fileName = `${editedBaseName(job.sources[0].name)}-tracks.zip`;
	const members = names.map((name) => ({ path: join(folder, name), name }));
	await writeZip(members, join(job.resultFolder, fileName), signal);
	// Texts are made track by track; the work folder goes after them.
	if (!job.config.transcription) await rm(folder, { recursive: true });
	return fileName;
}
