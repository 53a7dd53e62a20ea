import { execa } from 'execa';

import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import { PcmReader, type PcmFile } from '../../service/media/pcmFile.mts';

/** Reads a file of the evaluation whole; they are short. */
export async function wholeOf(pcm: PcmFile): Promise<Float32Array> {
	await using reader = await PcmReader.open(pcm);
	return await reader.read(0, pcm.frames);
}

/** Scale-invariant signal-to-distortion ratio (Le Roux et al., 2019), dB. */
export function siSdrDb(reference: Float32Array, output: Float32Array): number {
	let [product, energy] = [0, 0];
	for (let i = 0; i < reference.length; i++) {
		product += reference[i] * (output[i] ?? 0);
		energy += reference[i] ** 2;
	}
	const scale = product / (energy + 1e-12);
	let [target, rest] = [0, 0];
	for (let i = 0; i < reference.length; i++) {
		target += (scale * reference[i]) ** 2;
		rest += ((output[i] ?? 0) - scale * reference[i]) ** 2;
	}
	return 10 * Math.log10(target / (rest + 1e-12));
}

/** How loud a WAV file is by ffmpeg's own meter: integrated loudness and true peak. */
export async function loudnessOf(wavPath: string) {
	const meter = ['-af', 'ebur128=peak=true', '-f', 'null', '-'];
	const options = ['-nostdin', '-hide_banner', '-i', wavPath, ...meter];
	const { stderr } = await execa(findFfmpeg().ffmpegPath, options);
	const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
	const read = (name: string) => Number(new RegExp(`${name}:\\s+(-?[\\d.]+)`).exec(summary)?.[1]);
	return { lufs: read('I'), truePeakDbtp: read('Peak') };
}

export type Loudness = Awaited<ReturnType<typeof loudnessOf>>;
