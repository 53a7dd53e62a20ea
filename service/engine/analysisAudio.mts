import { join } from 'node:path';

import type { EditConfig } from '../shared/contract.mts';
import { ANALYSIS_FORMAT } from '../media/decode.mts';
import {
	openPcm,
	pcmFormatArguments,
	pcmInputArguments,
	type PcmFile,
	type PcmFileFormat,
} from '../media/pcmFile.mts';
import { fileArgument } from '../media/guardedInput.mts';
import { runFfmpeg } from '../media/runFfmpeg.mts';
import { reduceNoise } from './reduceNoise.mts';
import { RNNOISE_RATE_HZ } from './rnnoise.mts';
import { usesRnnoise, type SearchedTrack } from './track.mts';

/**
 * Small copies of a track in which edits are detected: 16 kHz, 16 bits, on disk, in sync with each
 * other and with the track.
 */
export interface AnalysisAudio {
	/** The original recording with all its channels. */
	raw: PcmFile;
	/** The same without noise; mono if the edit itself does not use the current noise engine. */
	denoised: PcmFile;
}

/**
 * Makes the small copies of a track for the detectors. An edit that keeps its noise gets a denoised
 * mono copy just for this, because pauses are not detected reliably in noise.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function analysisAudioOf(
	track: SearchedTrack,
	config: Required<EditConfig>,
	signal?: AbortSignal,
): Promise<AnalysisAudio> {
	const clean = usesRnnoise(config) ? track.clean : await denoisedMono(track, signal);
	const path = join(track.workFolder, 'analysis-denoised.s16');
	const { channels } = clean;
	const denoised = await converted(clean, path, { ...ANALYSIS_FORMAT, channels }, signal);
	return { raw: track.analysis, denoised };
}

async function denoisedMono(
	{ pcm, workFolder }: SearchedTrack,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const format = { sampleRateHz: RNNOISE_RATE_HZ, channels: 1 };
	const outputPath = join(workFolder, 'analysis-denoised.f32');
	const mono = await converted(pcm, join(workFolder, 'analysis-mono.f32'), format, signal);
	return await reduceNoise(mono, outputPath, 'measured', signal);
}

async function converted(
	input: PcmFile,
	outputPath: string,
	format: PcmFileFormat,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const output = [...pcmFormatArguments(format), fileArgument(outputPath)];
	await runFfmpeg([...pcmInputArguments(input), ...output], signal);
	return await openPcm(outputPath, format);
}
