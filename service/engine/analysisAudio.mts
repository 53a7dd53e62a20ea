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
 * What edits are looked for in: small copies of a track, 16 kHz, 16 bits, on disk, in step with each
 * other and with the track.
 */
export interface AnalysisAudio {
	/** The recording as it came, all its channels. */
	raw: PcmFile;
	/** The same without noise; mono when the job itself does not use the current noise engine. */
	denoised: PcmFile;
}

/**
 * Makes the copies of a track that edits are looked for in. A job that keeps its noise has a mono
 * copy denoised for that alone, since pauses in noise are not found reliably.
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
	const mono = await converted(pcm, join(workFolder, 'analysis-mono.f32'), format, signal);
	return await reduceNoise(mono, join(workFolder, 'analysis-denoised.f32'), signal);
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
