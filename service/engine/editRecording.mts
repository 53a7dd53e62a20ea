import { join } from 'node:path';

import { editedBaseName, numbered } from '../media/outputName.mts';
import { pcmSourceOf, writePcm, type PcmSource } from '../media/pcmFile.mts';
import { framesPerSecond } from '../media/picture.mts';
import { exportSound, exportZip, type FinishedSound } from './exportTracks.mts';
import { findEdits } from './findEdits.mts';
import { writeMarkers } from './markers.mts';
import { mixTracks } from './mixTracks.mts';
import { heldBelow, loudnessNotes, type LevelledSource } from './normalizeLoudness.mts';
import {
	ceilingDbtpOf,
	cutTrack,
	levelSound,
	readRecordingTrack,
	type RawRecordingTrack,
	type RecordingTrack,
} from './recordingTrack.mts';
import { rangesOfTrack, sharedRanges } from './sharedTimeline.mts';
import { soundOf } from './sound.mts';
import { statisticsOf } from './statistics.mts';
import type { EngineStatus, RecordingJob, RecordingResult } from './types.mts';
import { WaveformMeter, waveformOf, writeWaveforms, type Waveform } from './waveform.mts';
import type { TimeRange, TimelineEdit } from '../shared/timeRanges.mts';

/** A track with all that was done to it. */
interface FinishedTrack extends FinishedSound {
	/** Outlines the sound while it is read. */
	meter: WaveformMeter;
	outline: Waveform;
	/** The same sound without the meter. */
	levelled: LevelledSource;
}

/**
 * Edits a recording of one or several files (spec "Edit request", rule 1), with their pictures when
 * `video` is on. An edit removes the same stretch of time from every track.
 *
 * Each stage reads the previous stage's files from the work folder, so memory does not grow with the
 * length of the recording. `soundOf` lists the order of the sound chain.
 *
 * @param onStatus called and awaited before each stage; what it throws ends the job.
 * @param signal ends the job within a second, with its child processes and threads.
 * @throws UnusableInput for a source that cannot be edited, MediaToolError when ffmpeg fails, the
 * signal's reason when aborted.
 */
export async function editRecording(
	job: RecordingJob,
	onStatus: (status: EngineStatus) => void | Promise<void>,
	signal?: AbortSignal,
): Promise<RecordingResult> {
	signal?.throwIfAborted();
	await onStatus('PREPROCESSING');
	const raw: RawRecordingTrack[] = [];
	for (const index of job.sources.keys()) raw.push(await readRecordingTrack(job, index, signal));

	await onStatus('CLASSIFICATION');
	const edits = await findEdits(job.config, raw, job.heard, signal);
	const ranges = rangesFor(raw, edits);

	await onStatus('EDITING');
	const tracks: RecordingTrack[] = [];
	for (const track of raw) {
		tracks.push({ ...track, sound: await soundOf(track, job.config, signal) });
	}
	const cut = tracks.map((track) => cutTrack(track, ranges, job));

	await onStatus('POSTPROCESSING');
	const finished: FinishedTrack[] = [];
	for (const [index, track] of tracks.entries()) {
		finished.push(await finishTrack(job, track, cut[index], signal));
	}
	const isMerged = job.config.merge && tracks.length > 1;
	const merged = isMerged ? await mergeTracks(job, finished, signal) : undefined;
	const outputs = merged ? [merged] : finished;
	const levelled = merged ? [merged.sound] : finished.map((track) => track.levelled);

	await onStatus('EXPORT');
	const uncutNames = await exportUncutSounds(job, tracks, signal);
	const fileName = await exportOutputs(job, outputs, job.config.muted ? [] : ranges, signal);
	await exportOutlines(job, finished, edits);
	const mergedFileNames = [...(isMerged ? [fileName] : []), ...uncutNames];
	const notes = loudnessNotes(levelled, job.config.target_lufs);
	return { fileName, mergedFileNames, notes, ...(await summaryOf(job, finished, edits)) };
}

/** One sound alone is cut at its own frames; several tracks, or sound and picture, need shared times. */
function rangesFor(tracks: readonly RawRecordingTrack[], edits: readonly TimelineEdit[]) {
	const [{ clean, picture }] = tracks;
	return tracks.length > 1 || picture ? sharedRanges(edits) : rangesOfTrack(edits, clean);
}

/** Brings a track to its loudness. */
async function finishTrack(
	job: RecordingJob,
	track: RecordingTrack,
	cut: PcmSource,
	signal?: AbortSignal,
): Promise<FinishedTrack> {
	const { info, picture, clean, sourceFrames } = track;
	const levelled = await levelSound(job, cut, ceilingDbtpOf(job, picture, info), signal);
	const meter = new WaveformMeter(levelled);
	const rateRatio = info.sampleRateHz / clean.sampleRateHz;
	const sourceRateFrames = sourceFrames - Math.round((clean.frames - cut.frames) * rateRatio);
	const outline = await waveformOf(track.analysis, signal);
	const sound = meter.metered;
	return { track, picture, info, sound, sourceRateFrames, meter, outline, levelled };
}

/** Mixes the tracks; the result takes name and picture of the first track that has one. */
async function mergeTracks(
	job: RecordingJob,
	finished: readonly FinishedTrack[],
	signal?: AbortSignal,
): Promise<FinishedSound> {
	const mix = await mixOf(job, finished, signal);
	const { track } = finished.find(({ picture }) => picture !== null) ?? finished[0];
	const sampleRateHz = Math.max(...finished.map(({ info }) => info.sampleRateHz));
	const info = { ...track.info, sampleRateHz, channels: mix.channels };
	const ceilingDbtp = ceilingDbtpOf(job, track.picture, info);
	const levelled = await levelSound(job, mix, ceilingDbtp, signal);
	const sound = levelled === mix ? heldBelow(mix, ceilingDbtp) : levelled;
	const sourceRateFrames = Math.round((mix.frames * sampleRateHz) / mix.sampleRateHz);
	return { track, picture: track.picture, info, sound, sourceRateFrames };
}

/** The tracks added up. */
async function mixOf(
	{ config, workFolder }: RecordingJob,
	finished: readonly FinishedTrack[],
	signal?: AbortSignal,
): Promise<PcmSource> {
	const sounds = finished.map(({ sound }) => sound);
	const mix = await mixTracks(sounds, workFolder, signal);
	if (!config.normalize) return mix;
	// It is read twice, and each time every track would pass its limiter.
	return pcmSourceOf(await writePcm(mix, join(workFolder, 'mix.f32'), signal));
}

/** Writes the file that `download_url` offers: one, or the tracks in a ZIP. */
async function exportOutputs(
	job: RecordingJob,
	outputs: readonly FinishedSound[],
	removed: readonly TimeRange[],
	signal?: AbortSignal,
): Promise<string> {
	if (outputs.length > 1) return await exportZip(job, outputs, removed, signal);
	const [output] = outputs;
	const ending = job.sources.length > 1 ? '-merged' : '';
	const baseName = editedBaseName(output.track.source.name) + ending;
	const destination = { folder: job.resultFolder, baseName, removed };
	return await exportSound(job, output, destination, signal);
}

/** Writes the enhanced sound of every picture as it was before the cuts, when `audio_for_edl` asks. */
async function exportUncutSounds(
	job: RecordingJob,
	tracks: readonly RecordingTrack[],
	signal?: AbortSignal,
): Promise<string[]> {
	if (!job.config.audio_for_edl) return [];
	const pictured = tracks.filter(({ picture }) => picture !== null);
	const baseNames = numbered(pictured.map(({ source }) => editedBaseName(source.name)));
	const names: string[] = [];
	for (const [index, track] of pictured.entries()) {
		const { info, sourceFrames } = track;
		const uncut = cutTrack(track, [], job);
		const sound = await levelSound(job, uncut, ceilingDbtpOf(job, null, info), signal);
		const finished = { track, picture: null, info, sound, sourceRateFrames: sourceFrames };
		const baseName = `${baseNames[index]}-uncut`;
		const destination = { folder: job.resultFolder, baseName, removed: [] };
		names.push(await exportSound(job, finished, destination, signal));
	}
	return names;
}

/** Keeps the outlines and the edits for the page. */
async function exportOutlines(
	{ config, resultFolder }: RecordingJob,
	finished: readonly FinishedTrack[],
	edits: readonly TimelineEdit[],
): Promise<void> {
	const tracks = finished.map(({ track, outline, meter }) => ({
		name: track.source.name,
		source: outline,
		edited: meter.waveform(),
	}));
	await writeWaveforms(resultFolder, { tracks }, { mode: config.muted ? 'mute' : 'cut', edits });
}

/** In seconds, before anything was cut. */
function lengthOf({ track: { clean } }: FinishedTrack): number {
	return clean.frames / clean.sampleRateHz;
}

/** What the result says about the edits. */
async function summaryOf(
	{ config, sources, resultFolder }: RecordingJob,
	finished: readonly FinishedTrack[],
	edits: TimelineEdit[],
) {
	const picture = finished.map(({ track }) => track.picture).find((found) => found !== null);
	const rate = picture && framesPerSecond(picture.frameRate);
	const markerFileNames = config.export_timestamps
		? await writeMarkers(edits, resultFolder, editedBaseName(sources[0].name), rate)
		: [];
	const seconds = (count: number, { info }: FinishedTrack) => count / info.sampleRateHz;
	const longest = finished.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0].track.clean;
	const { sampleRateHz, frames } = longest;
	return {
		statistics: statisticsOf(edits, sampleRateHz, frames),
		markerFileNames,
		edits,
		durationBeforeSeconds: Math.max(...finished.map((f) => seconds(f.track.sourceFrames, f))),
		durationAfterSeconds: Math.max(...finished.map((f) => seconds(f.sourceRateFrames, f))),
	};
}
