import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import {
	carryMetadata,
	NOTHING_CARRIED,
	type CarriedMetadata,
} from '../../media/tags/carryMetadata.mts';
import { SPEECH_RATE_HZ } from '../../media/decode.mts';
import { encode } from '../../media/encode.mts';
import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import type { Metadata } from '../../media/tags/metadata.mts';
import { outputFormatFor } from '../../media/outputFormat.mts';
import { editedBaseName, numbered } from '../../media/outputName.mts';
import { monoOf } from '../../media/monoMix.mts';
import { pcmFormatArguments, type PcmSource } from '../../media/pcmFile.mts';
import type { Picture } from '../../media/picture.mts';
import type { MediaInfo } from '../../media/probe.mts';
import { feedFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import { writeVideo } from '../../media/writeVideo.mts';
import { writeZip } from '../../media/zip.mts';
import { metadataAfter, metadataWithKit } from './keptMetadata.mts';
import type { RecordingTrack } from '../recordingTrack.mts';
import type { RecordingRequest } from '../types.mts';
import { isShortage, TransientTrouble } from '../../shared/failures.mts';
import { safeFileName } from '../../shared/fileNames.mts';
import type { Insertion } from '../../shared/showKit.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/** Audio that is ready to export. */
export interface FinishedSound {
	/** The track whose name and picture the output takes. */
	track: RecordingTrack;
	picture: Picture | null;
	/** Format of the source's audio or, for a mix, of the output. */
	info: MediaInfo;
	sound: PcmSource;
	/** From the source, with chapters on the source's timeline. */
	metadata: Metadata;
	/** Length at the sample rate of `info`. */
	sourceRateFrames: number;
	/** What was put into it after its cuts. */
	insertions?: readonly Insertion[];
}

/**
 * Writes one finished sound, with its picture if it has one. Returns the file name. If the metadata
 * cannot be written, writes the file without it and adds a note to the track.
 * @param destination a name without extension, and the ranges cut from the audio.
 */
export async function exportSound(
	{ config }: RecordingRequest,
	finished: FinishedSound,
	destination: { folder: string; baseName: string; removed: readonly TimeRange[] },
	signal?: AbortSignal,
): Promise<string> {
	const { folder, baseName, removed } = destination;
	const { track, picture, info, sound, metadata } = finished;
	const format = outputFormatFor(config.export_format, info);
	const container = picture?.container ?? format;
	const outputPath = join(folder, `${baseName}.${container}`);
	const { workFolder } = track;
	const lengthSeconds = sound.frames / sound.sampleRateHz;
	const { insertions = [] } = finished;
	const kept = metadataWithKit(insertions, metadataAfter(removed, metadata, lengthSeconds));
	const note = (...notes: string[]) => {
		track.notes.push(...notes.map((text) => `${safeFileName(track.source.name)}: ${text}`));
	};
	const write = async (carried: CarriedMetadata) => {
		const { sourceRateFrames } = finished;
		const common = { info, outputPath, carried, sourceRateFrames };
		if (picture) {
			const { path: sourcePath } = track.source;
			const request = { ...common, sourcePath, workFolder, picture, sound, removed };
			note(...(await writeVideo(request, signal)));
		} else await encode({ ...common, audio: sound, format }, signal);
	};
	try {
		await write(await carryMetadata(container, kept, workFolder));
	} catch (error) {
		// Whatever the metadata did to ffmpeg or to us: the edit is worth more.
		if (signal?.aborted || isShortage(error) || error instanceof TransientTrouble) throw error;
		await write(NOTHING_CARRIED);
		note('left out tags, chapters and cover, which cannot be written');
	}
	return basename(outputPath);
}

/** Writes each track to a file and all files into one ZIP. Returns the name of the ZIP. */
export async function exportZip(
	request: RecordingRequest,
	sounds: readonly FinishedSound[],
	removed: readonly TimeRange[],
	signal?: AbortSignal,
): Promise<string> {
	const { folder, baseNames } = await tracksFolder(request, sounds);
	const names: string[] = [];
	for (const [index, sound] of sounds.entries()) {
		const destination = { folder, baseName: baseNames[index], removed };
		names.push(await exportSound(request, sound, destination, signal));
		// Frees disk space per track: an hour of samples takes more than 1 GB.
		await rm(sound.track.workFolder, { recursive: true });
	}
	const fileName = `${editedBaseName(request.sources[0].name)}-tracks.zip`;
	const members = names.map((name) => ({ path: join(folder, name), name }));
	await writeZip(members, join(request.resultFolder, fileName), signal);
	// Texts are made from the single tracks; they are deleted with the work folder.
	if (!request.config.transcription) await rm(folder, { recursive: true });
	return fileName;
}

/**
 * Writes the speech of the tracks of a mix, mono at the recognizer's rate, where the texts are made
 * from: only a single track says whose words it has.
 */
export async function exportSpeech(
	request: RecordingRequest,
	sounds: readonly FinishedSound[],
	signal?: AbortSignal,
): Promise<void> {
	const { folder, baseNames } = await tracksFolder(request, sounds);
	for (const [index, one] of sounds.entries()) {
		const sound = monoOf(one.sound);
		const output = ['-ar', String(SPEECH_RATE_HZ)];
		const path = fileArgument(join(folder, `${baseNames[index]}.flac`));
		const args = [...pcmFormatArguments(sound), '-i', 'pipe:0', ...output, path];
		await feedFfmpeg(args, sound.chunks(0, sound.frames), signal);
	}
}

/** Makes the folder for single tracks. Returns it with their file names without extensions. */
async function tracksFolder({ workFolder }: RecordingRequest, sounds: readonly FinishedSound[]) {
	const folder = join(workFolder, 'tracks');
	await mkdir(folder);
	return {
		folder,
		baseNames: numbered(sounds.map(({ track }) => editedBaseName(track.source.name))),
	};
}
