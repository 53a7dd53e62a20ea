import { join } from 'node:path';

import { editedBaseName, numbered } from '../media/outputName.mts';
import { pcmSourceOf, writePcm, type PcmSource } from '../media/pcmFile.mts';
import { framesPerSecond } from '../media/picture.mts';
import {
	exportSound,
	exportSpeech,
	exportZip,
	type FinishedSound,
} from './export/exportTracks.mts';
import { writeMarkers } from './export/markers.mts';
import { metadataOfMix } from './export/keptMetadata.mts';
import { mixTracks } from './export/mixTracks.mts';
import { addKit, type WithKit } from './kit/addKit.mts';
import { readKit, type ReadPart } from './kit/readKit.mts';
import { heldBelow, loudnessNotes, type LeveledSource } from './level/normalizeLoudness.mts';
import {
	ceilingDbtpOf,
	cutTrack,
	isReviewed,
	levelSound,
	turnSearch,
	type RecordingTrack,
} from './recordingTrack.mts';
import { rangesOfTrack, sharedRanges } from './sharedTimeline.mts';
import { silencesSavedSeconds, statisticsOf } from './export/statistics.mts';
import { readyTracks } from './readyTracks.mts';
import type { CutScale } from './review/cutEdits.mts';
import { keepRecording } from './review/keptRecording.mts';
import type { OnStatus, RecordingRequest, RecordingResult } from './types.mts';
import {
	mediaSchema,
	WaveformMeter,
	writeWaveforms,
	type KitOnTimeline,
	type Waveform,
} from './export/waveform.mts';
import type { TimeRange, TimelineEdit } from '../shared/timeRanges.mts';

/** A track with all its processing. */
interface FinishedTrack extends FinishedSound {
	/** Records the outline while the sound is read. */
	meter: WaveformMeter;
	outline: Waveform;
	/** The same sound without the meter. */
	leveled: LeveledSource;
	isHeard: boolean;
}

/**
 * Edits a recording of one or more files (api.md#edit-request), with their pictures when
 * `video` is on. Every edit removes the same time range from every track.
 *
 * Each stage reads the previous stage's files from the work folder, so memory does not grow with
 * the recording's length. `soundOf` lists the order of the sound chain.
 *
 * @param onStatus awaited before each stage; an error from it ends the edit.
 * @param signal stops the edit, its child processes and threads within a second.
 * @throws UnusableInput for a source that cannot be edited, MediaToolError when ffmpeg fails, the
 * signal's reason when aborted.
 */
export async function editRecording(
	request: RecordingRequest,
	onStatus: OnStatus,
	signal?: AbortSignal,
): Promise<RecordingResult> {
	signal?.throwIfAborted();
	const { config } = request;
	const kit = await readKit(request, signal);
	const { tracks, draft, edits } = await readyTracks(request, onStatus, signal);
	const ranges = rangesFor(request, tracks, edits);
	const cut = tracks.map((track) => cutTrack(track, ranges, request));

	await onStatus('POSTPROCESSING');
	const finished: FinishedTrack[] = [];
	const removed = config.muted ? [] : ranges;
	for (const [index, track] of tracks.entries()) {
		finished.push(await finishTrack(request, track, { cut: cut[index], removed }, signal));
	}
	const isMerged = config.merge && tracks.length > 1;
	const merged = isMerged ? await mergeTracks(request, finished, signal) : undefined;
	const outputs: FinishedSound[] = merged ? [merged] : finished;
	const leveled: LeveledSource[] = merged ? [merged.sound] : finished.map((track) => track.leveled);
	const loudness = (tracks.length === 1 && leveled[0].loudness) || null;
	const kept = await keepRecording(request, finished, { ...draft, loudness }, signal);

	await onStatus('EXPORT');
	const uncutFileNames = await exportUncutSounds(request, tracks, signal);
	const episode = { leveled: leveled[0], removed };
	const show = kit.length > 0 ? await showOf(request, outputs[0], episode, kit, signal) : undefined;
	const fileName = await exportOutputs(request, show ? [show.output] : outputs, removed, signal);
	await exportOutlines(request, finished, edits, show?.onTimeline ?? []);
	const notes = [
		...tracks.flatMap((track) => track.notes),
		...loudnessNotes(leveled, config.target_lufs),
		...(show?.notes ?? []),
	];
	const names = { fileName, mergedFileNames: isMerged ? [fileName] : [], uncutFileNames };
	const summary = await summaryOf(request, show ? [show.output] : finished, finished, draft, edits);
	return { ...names, notes, loudness, kept, insertions: show?.insertions ?? [], ...summary };
}

/** The only output with the intro, outro and inserts of its show. */
async function showOf(
	request: RecordingRequest,
	output: FinishedSound,
	{ leveled, removed }: { leveled: LeveledSource; removed: readonly TimeRange[] },
	kit: readonly ReadPart[],
	signal?: AbortSignal,
): Promise<WithKit & { output: FinishedSound }> {
	const { info, sound, sourceRateFrames } = output;
	// Words are heard where nothing else is. Of several tracks, each is there already.
	if (request.config.transcription && request.sources.length === 1) {
		await exportSpeech(request, [{ ...output, sound: leveled }], signal);
	}
	const ceilingDbtp = ceilingDbtpOf(request, null, info);
	const lufs = leveled.loudness?.afterLufs;
	const added = await addKit(request, { sound, lufs, ceilingDbtp, removed }, kit, signal);
	const addedFrames = added.sound.frames - sound.frames;
	return {
		...added,
		output: {
			...output,
			sound: added.sound,
			insertions: added.insertions,
			sourceRateFrames:
				sourceRateFrames + Math.round((addedFrames * info.sampleRateHz) / sound.sampleRateHz),
		},
	};
}

/** One audio track is cut at its own frames. Several tracks, or a picture, need shared times. */
function rangesFor(
	request: RecordingRequest,
	tracks: readonly RecordingTrack[],
	edits: readonly TimelineEdit[],
) {
	if (isReviewed(request)) return sharedRanges(edits, true);
	const [{ sound, picture }] = tracks;
	return tracks.length > 1 || picture ? sharedRanges(edits) : rangesOfTrack(edits, sound);
}

/** Applies the target loudness to a track. */
async function finishTrack(
	request: RecordingRequest,
	track: RecordingTrack,
	{ cut, removed }: { cut: PcmSource; removed: readonly TimeRange[] },
	signal?: AbortSignal,
): Promise<FinishedTrack> {
	const { info, picture, metadata, sound: uncut, sourceFrames } = track;
	const ceilingDbtp = ceilingDbtpOf(request, picture, info);
	const turns = turnSearch(request, track, removed);
	const { isHeard } = track;
	const leveled = await levelSound(request, cut, { ceilingDbtp, turns, isHeard }, signal);
	const meter = new WaveformMeter(leveled);
	const rateRatio = info.sampleRateHz / uncut.sampleRateHz;
	const sourceRateFrames = sourceFrames - Math.round((uncut.frames - cut.frames) * rateRatio);
	const outline = await track.outline();
	const finished = { track, picture, info, sound: meter.metered, metadata, sourceRateFrames };
	return { ...finished, meter, outline, leveled, isHeard };
}

/** Mixes the tracks. The result takes name and picture from the first track that has a picture. */
async function mergeTracks(
	request: RecordingRequest,
	finished: readonly FinishedTrack[],
	signal?: AbortSignal,
): Promise<FinishedSound> {
	if (request.config.transcription) {
		const unmetered = finished.map((one) => ({ ...one, sound: one.leveled }));
		await exportSpeech(request, unmetered, signal);
	}
	const mix = await mixOf(request, finished, signal);
	const { track } = finished.find(({ picture }) => picture !== null) ?? finished[0];
	const sampleRateHz = Math.max(...finished.map(({ info }) => info.sampleRateHz));
	const info = { ...track.info, sampleRateHz, channels: mix.channels };
	const ceilingDbtp = ceilingDbtpOf(request, track.picture, info);
	const isHeard = finished.some((one) => one.isHeard);
	const leveled = await levelSound(request, mix, { ceilingDbtp, isHeard }, signal);
	const sound = leveled === mix ? heldBelow(mix, ceilingDbtp) : leveled;
	const sourceRateFrames = Math.round((mix.frames * sampleRateHz) / mix.sampleRateHz);
	const metadata = metadataOfMix(finished.map((one) => one.metadata));
	return { track, picture: track.picture, info, sound, metadata, sourceRateFrames };
}

/** The sum of the tracks. */
async function mixOf(
	{ config, workFolder }: RecordingRequest,
	finished: readonly FinishedTrack[],
	signal?: AbortSignal,
): Promise<PcmSource> {
	const sounds = finished.map(({ sound }) => sound);
	const mix = await mixTracks(sounds, workFolder, signal);
	if (!config.normalize) return mix;
	// The mix is read twice; without this file, every track would run through its limiter twice.
	return pcmSourceOf(await writePcm(mix, join(workFolder, 'mix.f32'), signal));
}

/** Writes the file for `download_url`: a single file, or a ZIP of the tracks. */
async function exportOutputs(
	request: RecordingRequest,
	outputs: readonly FinishedSound[],
	removed: readonly TimeRange[],
	signal?: AbortSignal,
): Promise<string> {
	if (outputs.length > 1) return await exportZip(request, outputs, removed, signal);
	const [output] = outputs;
	const ending = request.sources.length > 1 ? '-merged' : '';
	const baseName = editedBaseName(output.track.source.name) + ending;
	const destination = { folder: request.resultFolder, baseName, removed };
	return await exportSound(request, output, destination, signal);
}

/** Writes the uncut, enhanced audio of every video, if `audio_for_edl` is on. */
async function exportUncutSounds(
	request: RecordingRequest,
	tracks: readonly RecordingTrack[],
	signal?: AbortSignal,
): Promise<string[]> {
	if (!request.config.audio_for_edl) return [];
	const pictured = tracks.filter(({ picture }) => picture !== null);
	const baseNames = numbered(pictured.map(({ source }) => editedBaseName(source.name)));
	const names: string[] = [];
	for (const [index, track] of pictured.entries()) {
		const { info, metadata, sourceFrames: sourceRateFrames } = track;
		const uncut = cutTrack(track, [], request);
		const ceilingDbtp = ceilingDbtpOf(request, null, info);
		const turns = turnSearch(request, track, []);
		const { isHeard } = track;
		const sound = await levelSound(request, uncut, { ceilingDbtp, turns, isHeard }, signal);
		const finished = { track, picture: null, info, sound, metadata, sourceRateFrames };
		const baseName = `${baseNames[index]}-uncut`;
		const destination = { folder: request.resultFolder, baseName, removed: [] };
		names.push(await exportSound(request, finished, destination, signal));
	}
	return names;
}

/** Saves the outlines and the edits for the page. */
async function exportOutlines(
	{ config, resultFolder }: RecordingRequest,
	finished: readonly FinishedTrack[],
	edits: readonly TimelineEdit[],
	kit: readonly KitOnTimeline[],
): Promise<void> {
	const tracks = finished.map(({ track, outline, meter }) => ({
		name: track.source.name,
		media: mediaSchema.parse({ ...track.info, picture: track.picture }),
		source: outline,
		edited: meter.waveform(),
	}));
	await writeWaveforms(
		resultFolder,
		{ tracks },
		{ mode: config.muted ? 'mute' : 'cut', edits, kit },
	);
}

/** The part of the result that describes the edits. */
async function summaryOf(
	{ config, sources, resultFolder }: RecordingRequest,
	outputs: readonly FinishedSound[],
	finished: readonly FinishedTrack[],
	{ sampleRateHz, samples }: CutScale,
	edits: TimelineEdit[],
) {
	const picture = finished.map(({ track }) => track.picture).find((found) => found !== null);
	const rate = picture && framesPerSecond(picture.frameRate);
	const destination = { folder: resultFolder, baseName: editedBaseName(sources[0].name) };
	const markerFileNames = config.export_timestamps
		? await writeMarkers(edits, destination, samples / sampleRateHz, rate)
		: [];
	const seconds = (count: number, { info }: FinishedSound) => count / info.sampleRateHz;
	return {
		statistics: statisticsOf(edits, sampleRateHz, samples),
		silencesSavedSeconds: silencesSavedSeconds(edits, config.muted),
		noiseLoweredDb: Math.max(...finished.map(({ track }) => track.noiseLoweredDb)),
		markerFileNames,
		edits,
		durationBeforeSeconds: Math.max(...finished.map((f) => seconds(f.track.sourceFrames, f))),
		durationAfterSeconds: Math.max(...outputs.map((f) => seconds(f.sourceRateFrames, f))),
	};
}
