import { join } from 'node:path';

import { ANALYSIS_FORMAT } from '../media/decode.mts';
import {
	openPcm,
	pcmFormatArguments,
	pcmInputArguments,
	pcmSourceOf,
	writePcm,
	type PcmFile,
	type PcmFileFormat,
} from '../media/pcmFile.mts';
import { monoOf } from '../media/monoMix.mts';
import { fileArgument } from '../media/ffmpeg/guardedInput.mts';
import { runFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import { type Denoised, reduceNoise } from './denoise/reduceNoise.mts';
import { RATE_HZ } from './networks/deepFilterNet/frames.mts';
import type { SearchedTrack } from './track.mts';

/**
 * Writes a small copy of a track without noise for the detectors: 16 kHz, 16 bits, in sync with the
 * track. An edit that keeps noise gets a denoised mono copy just for this, because pauses are not
 * detected reliably in noise. With it comes what was found on the way: its music, and its hum.
 *
 * @param isClean whether the track itself has no noise left.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function denoisedCopyOf(
	track: SearchedTrack,
	isClean: boolean,
	signal?: AbortSignal,
): Promise<{ copy: PcmFile } & Pick<Denoised, 'music' | 'humHz'>> {
	const { clean, music, humHz } = isClean ? track : await denoisedMono(track, signal);
	const path = join(track.workFolder, 'analysis-denoised.s16');
	const format = { ...ANALYSIS_FORMAT, channels: clean.channels };
	return { copy: await convertedCopy(clean, path, format, signal), music, humHz };
}

async function denoisedMono({ pcm, workFolder }: SearchedTrack, signal?: AbortSignal) {
	const format = { sampleRateHz: RATE_HZ, channels: 1 };
	const outputPath = join(workFolder, 'analysis-denoised.f32');
	const mixedPath = join(workFolder, 'analysis-mixed.f32');
	const mixed =
		pcm.channels === 1 ? pcm : await writePcm(monoOf(pcmSourceOf(pcm)), mixedPath, signal);
	const isAtRate = mixed.sampleRateHz === format.sampleRateHz && mixed !== pcm;
	const monoPath = join(workFolder, 'analysis-mono.f32');
	const mono = isAtRate ? mixed : await convertedCopy(mixed, monoPath, format, signal);
	return await reduceNoise(mono, outputPath, 'measured', signal);
}

/** Writes a copy of a recording in another format. */
export async function convertedCopy(
	input: PcmFile,
	outputPath: string,
	format: PcmFileFormat,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const output = [...pcmFormatArguments(format), fileArgument(outputPath)];
	await runFfmpeg([...pcmInputArguments(input), ...output], signal);
	return await openPcm(outputPath, format);
}
