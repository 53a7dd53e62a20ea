import { join } from 'node:path';

import { openPcm, pcmInputArguments, type PcmFile } from '../media/pcmFile.mts';
import { fileArgument, runFfmpeg } from '../media/run.mts';
import type { AnalysisLevels } from './findLongSilences.mts';
import { levelsOf } from './levels.mts';
import { reduceNoise } from './reduceNoise.mts';
import { RNNOISE_RATE_HZ } from './rnnoise.mts';

/**
 * The levels that silences are found by: of the recording as it came and of the same denoised.
 *
 * @param denoised the recording denoised with RNNoise when the job asked for that; otherwise a
 * mono copy is denoised for the analysis alone, since pauses in noise are not found reliably.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function analyze(
	raw: PcmFile,
	denoised: PcmFile | undefined,
	workFolder: string,
	signal?: AbortSignal,
): Promise<AnalysisLevels> {
	const clean = denoised ?? (await denoiseMonoCopy(raw, workFolder, signal));
	const [rawLevels, denoisedLevels] = await Promise.all([
		levelsOf(raw, signal),
		levelsOf(clean, signal),
	]);
	return { raw: rawLevels, denoised: denoisedLevels };
}

async function denoiseMonoCopy(
	raw: PcmFile,
	workFolder: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const format = { sampleRateHz: RNNOISE_RATE_HZ, channels: 1 };
	const monoPath = join(workFolder, 'analysis-mono.f32');
	const output = ['-ac', '1', '-ar', String(RNNOISE_RATE_HZ), '-f', 'f32le'];
	await runFfmpeg([...pcmInputArguments(raw), ...output, fileArgument(monoPath)], signal);
	const mono = await openPcm(monoPath, format);
	return await reduceNoise(mono, join(workFolder, 'analysis-denoised.f32'), signal);
}
