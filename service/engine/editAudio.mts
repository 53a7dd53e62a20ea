import { join } from 'node:path';

import { encode } from '../media/encode.mts';
import { isLossy, outputFormatFor } from '../media/outputFormat.mts';
import { editedBaseName, outputName } from '../media/outputName.mts';
import type { PcmSource } from '../media/pcmFile.mts';
import { editedAudio } from './editedAudio.mts';
import { findEdits } from './findEdits.mts';
import { writeMarkers } from './markers.mts';
import { loudnessNotes, normalizeLoudness, type LevelledSource } from './normalizeLoudness.mts';
import { soundOf } from './sound.mts';
import { statisticsOf } from './statistics.mts';
import { readTrack, type Track } from './track.mts';
import type { EngineJob, EngineResult, EngineStatus, TimelineEdit } from './types.mts';
import { WaveformMeter, waveformOf, writeWaveforms } from './waveform.mts';

/** Highest true peak of a normalized file, dBTP: -1 with what meters differ by; a lossy codec adds more. */
export const CEILING_DBTP = -1.3;
export const CEILING_LOSSY_DBTP = -2;

/**
 * Edits a recording, stage by stage: read and reduce noise, find what to take out, work on the sound
 * (see `soundOf` for the order of the chain), take it out, bring it to its loudness, export. Keys of
 * the configuration that the engine does not know are left alone. Each stage reads what the one before
 * left, from files in the work folder, so memory does not grow with the recording's length, and works
 * on any track by itself.
 *
 * @param onStatus called, and waited for, when a stage really begins; what it throws ends the job.
 * @param signal ends the job within a second; no child process or thread stays behind.
 * @throws UnusableInput for a source that cannot be edited, MediaToolError when ffmpeg fails, the
 * signal's reason when aborted.
 */
export async function editAudio(
	job: EngineJob,
	onStatus: (status: EngineStatus) => void | Promise<void>,
	signal?: AbortSignal,
): Promise<EngineResult> {
	signal?.throwIfAborted();
	const { config } = job;
	await onStatus('PREPROCESSING');
	const track = await readTrack(job, signal);

	await onStatus('CLASSIFICATION');
	const edits = await findEdits(config, [track], job.heard, signal);

	await onStatus('EDITING');
	const sound = await soundOf(track, config, signal);
	const edited = editedAudio(sound, edits, config.muted ? 'mute' : 'cut');

	await onStatus('POSTPROCESSING');
	const finished = await finish(job, track, edited, signal);

	await onStatus('EXPORT');
	return await exportResult(job, track, finished, edits, signal);
}

/** Brings the edited material to its loudness. */
async function finish(
	{ config }: EngineJob,
	{ info }: Track,
	edited: PcmSource,
	signal?: AbortSignal,
): Promise<LevelledSource> {
	if (!config.normalize || config.target_lufs === null) return edited;
	const willBeLossy = isLossy(outputFormatFor(config.export_format, info));
	const goal = {
		targetLufs: config.target_lufs,
		gateLufs: config.mute_lufs,
		ceilingDbtp: willBeLossy ? CEILING_LOSSY_DBTP : CEILING_DBTP,
	};
	return await normalizeLoudness(edited, goal, signal);
}

/** Writes the edited file and, when asked for, the marker files. */
async function exportResult(
	job: EngineJob,
	{ info, clean, analysis, sourceFrames }: Track,
	finished: LevelledSource,
	edits: TimelineEdit[],
	signal?: AbortSignal,
): Promise<EngineResult> {
	const { config, resultFolder, sourceName } = job;
	const format = outputFormatFor(config.export_format, info);
	const fileName = outputName(sourceName, format);
	const rateRatio = info.sampleRateHz / clean.sampleRateHz;
	const removedFrames = clean.frames - finished.frames;
	const sourceRateFrames = sourceFrames - Math.round(removedFrames * rateRatio);
	const outputPath = join(resultFolder, fileName);
	const meter = new WaveformMeter(finished);
	await encode({ audio: meter.metered, info, format, outputPath, sourceRateFrames }, signal);
	const outlines = { source: await waveformOf(analysis, signal), edited: meter.waveform() };
	const waveforms = { tracks: [{ name: sourceName, ...outlines }] };
	await writeWaveforms(resultFolder, waveforms, { mode: config.muted ? 'mute' : 'cut', edits });
	const markerFileNames = config.export_timestamps
		? await writeMarkers(edits, resultFolder, editedBaseName(sourceName))
		: [];
	return {
		fileName,
		statistics: statisticsOf(edits, clean.sampleRateHz, clean.frames),
		markerFileNames,
		edits,
		notes: loudnessNotes([finished], config.target_lufs),
		durationBeforeSeconds: sourceFrames / info.sampleRateHz,
		durationAfterSeconds: sourceRateFrames / info.sampleRateHz,
	};
}
