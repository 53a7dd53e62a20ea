import { openPcm, pcmInputArguments, type PcmFile } from '../media/pcmFile.mts';
import { fileArgument } from '../media/guardedInput.mts';
import { runFfmpeg, streamFfmpeg } from '../media/runFfmpeg.mts';

/**
 * The former noise engine: spectral subtraction with a floor that follows the noise. It lowers
 * steady noise by some decibels and leaves music and room tone alone.
 */
const FILTER = 'afftdn=nr=25:nf=-40:tn=1';

/**
 * Reduces noise with ffmpeg's afftdn, the engine that `remove_noise: "legacy"` pins. The output is
 * as long as the input and in step with it.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function reduceNoiseLegacy(
	input: PcmFile,
	outputPath: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const delayFrames = await filterDelayFrames(input.sampleRateHz, signal);
	const filters = [
		// What the filter holds back at the end is pushed out by silence.
		`apad=pad_len=${delayFrames}`,
		FILTER,
		`atrim=start_sample=${delayFrames}`,
		'asetpts=PTS-STARTPTS',
		`apad=whole_len=${input.frames}`,
		`atrim=end_sample=${input.frames}`,
	].join(',');
	const output = ['-f', 'f32le', fileArgument(outputPath)];
	await runFfmpeg([...pcmInputArguments(input), '-af', filters, ...output], signal);
	return await openPcm(outputPath, input);
}

/**
 * By how many frames the filter delays what passes through it: 25 ms in ffmpeg 5.1, nothing in the
 * build of 2018. An impulse tells.
 */
async function filterDelayFrames(sampleRateHz: number, signal?: AbortSignal): Promise<number> {
	const impulseFrame = Math.round(sampleRateHz / 2);
	const source = `aevalsrc=if(eq(n\\,${impulseFrame})\\,0.9\\,0):s=${sampleRateHz}:d=1`;
	const args = ['-f', 'lavfi', '-i', source, '-af', FILTER, '-f', 'f32le', 'pipe:1'];
	const chunks: Uint8Array[] = [];
	for await (const chunk of streamFfmpeg(args, signal)) chunks.push(chunk);
	const bytes = Buffer.concat(chunks);
	let loudest = 0;
	let loudestFrame = impulseFrame;
	for (let offset = 0; offset + 4 <= bytes.length; offset += 4) {
		const level = Math.abs(bytes.readFloatLE(offset));
		if (level <= loudest) continue;
		loudest = level;
		loudestFrame = offset / 4;
	}
	return Math.max(0, loudestFrame - impulseFrame);
}
