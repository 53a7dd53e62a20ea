import { PcmReader, type PcmFile } from '../media/pcmFile.mts';

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
