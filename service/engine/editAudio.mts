import { join } from 'node:path';

import { decode, type DecodedSource } from '../media/decode.mts';
import { encode } from '../media/encode.mts';
import { longestSeconds, tooLong } from '../media/lengthLimit.mts';
import { isLossy, outputFormatFor } from '../media/outputFormat.mts';
import { editedBaseName, outputName } from '../media/outputName.mts';
import type { PcmFile } from '../media/pcmFile.mts';
import { probe, type MediaInfo } from '../media/probe.mts';
import { analyze } from './analyze.mts';
import { findLongSilences } from './findLongSilences.mts';
import { writeMarkers } from './markers.mts';
import { normalizeLoudness } from './normalizeLoudness.mts';
import { reduceNoise } from './reduceNoise.mts';
import { reduceNoiseLegacy } from './reduceNoiseLegacy.mts';
import { renderEdits } from './renderEdits.mts';
import { RNNOISE_RATE_HZ } from './rnnoise.mts';
import type { EngineJob, EngineResult, EngineStatus, TimelineEdit } from './types.mts';

/** Highest true peak of a normalized file, dBTP; a lossy codec adds some of its own. */
const CEILING_DBTP = -1.1;
const CEILING_LOSSY_DBTP = -2;

/** The source when it is ready to be edited. */
interface Material extends DecodedSource {
	info: MediaInfo;
	/** What is edited: denoised if asked for. */
	edited: PcmFile;
}

/**
 * Edits a recording: noise reduction, removal or muting of long silences, loudness, export in the
 * wanted format, marker files. Keys of the configuration that the engine does not know are left
 * alone. Audio passes through files in the work folder, so memory does not grow with its length.
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
	await onStatus('PREPROCESSING');
	const material = await prepare(job, signal);

	await onStatus('CLASSIFICATION');
	const edits = await findEdits(job, material, signal);

	await onStatus('EDITING');
	const edited = await applyEdits(job, material.edited, edits, signal);

	await onStatus('POSTPROCESSING');
	const finished = await finish(job, material.info, edited, signal);

	await onStatus('EXPORT');
	return await exportResult(job, material, finished, edits, signal);
}

/** Reads and decodes the source and reduces its noise. */
async function prepare(job: EngineJob, signal?: AbortSignal): Promise<Material> {
	const { sourcePath, workFolder, config } = job;
	const info = await probe(sourcePath, signal);
	const limitSeconds = longestSeconds(job.longestSourceSeconds, info);
	if ((info.durationSeconds ?? 0) > limitSeconds) throw tooLong(limitSeconds, info);
	const usesRnnoise = isRnnoise(job);
	const rateHz = usesRnnoise ? RNNOISE_RATE_HZ : info.sampleRateHz;
	const decodedPath = join(workFolder, 'decoded.f32');
	const source = { ...info, path: sourcePath, limitSeconds };
	const decoded = await decode(source, decodedPath, rateHz, signal);
	const denoisedPath = join(workFolder, 'denoised.f32');
	let edited = decoded.pcm;
	if (usesRnnoise) edited = await reduceNoise(decoded.pcm, denoisedPath, signal);
	else if (config.remove_noise === 'legacy') {
		edited = await reduceNoiseLegacy(decoded.pcm, denoisedPath, signal);
	}
	return { ...decoded, info, edited };
}

/** Finds what the configuration asks to be taken out. */
async function findEdits(
	job: EngineJob,
	{ pcm, edited }: Material,
	signal?: AbortSignal,
): Promise<TimelineEdit[]> {
	if (!job.config.long_silences) return [];
	const levels = await analyze(pcm, isRnnoise(job) ? edited : undefined, job.workFolder, signal);
	return findLongSilences(levels);
}

async function applyEdits(
	job: EngineJob,
	input: PcmFile,
	edits: readonly TimelineEdit[],
	signal?: AbortSignal,
): Promise<PcmFile> {
	if (edits.length === 0) return input;
	const mode = job.config.muted ? 'mute' : 'cut';
	return await renderEdits(input, edits, mode, join(job.workFolder, 'edited.f32'), signal);
}

/** Brings the edited material to its loudness. */
async function finish(
	{ config, workFolder }: EngineJob,
	info: MediaInfo,
	edited: PcmFile,
	signal?: AbortSignal,
): Promise<PcmFile> {
	if (!config.normalize || config.target_lufs === null) return edited;
	const willBeLossy = isLossy(outputFormatFor(config.export_format, info));
	const goal = {
		targetLufs: config.target_lufs,
		gateLufs: config.mute_lufs,
		ceilingDbtp: willBeLossy ? CEILING_LOSSY_DBTP : CEILING_DBTP,
	};
	return await normalizeLoudness(edited, goal, join(workFolder, 'normalized.f32'), signal);
}

/** Writes the edited file and, when asked for, the marker files. */
async function exportResult(
	job: EngineJob,
	{ info, pcm: decoded, sourceFrames, edited }: Material,
	finished: PcmFile,
	edits: TimelineEdit[],
	signal?: AbortSignal,
): Promise<EngineResult> {
	const { config, resultFolder, sourceName } = job;
	const format = outputFormatFor(config.export_format, info);
	const fileName = outputName(sourceName, format);
	const removedFrames = edited.frames - finished.frames;
	const rateRatio = info.sampleRateHz / decoded.sampleRateHz;
	const sourceRateFrames = sourceFrames - Math.round(removedFrames * rateRatio);
	const outputPath = join(resultFolder, fileName);
	await encode({ pcm: finished, info, format, outputPath, sourceRateFrames }, signal);
	const markerFileNames = config.export_timestamps
		? await writeMarkers(edits, resultFolder, editedBaseName(sourceName))
		: [];
	return {
		fileName,
		statistics: config.long_silences ? { DEADAIR: edits.length } : {},
		markerFileNames,
		edits,
		durationBeforeSeconds: sourceFrames / info.sampleRateHz,
		durationAfterSeconds: sourceRateFrames / info.sampleRateHz,
	};
}

/** True when the current noise engine is wanted. */
function isRnnoise({ config }: EngineJob): boolean {
	return config.remove_noise === true || config.remove_noise === 'v2';
}
