import { join } from 'node:path';

import { execa } from 'execa';

import { CEILING_DBTP, normalizeLoudness } from '../../service/engine/level/normalizeLoudness.mts';
import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import {
	PcmReader,
	pcmInputArguments,
	pcmSourceOf,
	writePcm,
	type PcmFile,
} from '../../service/media/pcmFile.mts';
import type { Scene } from './scene.mts';
import { framesOf, rms, toDb } from './signals.mts';

/** How much a noise reduction did. */
export interface NoiseFigures {
	/** Speech against everything that is not, dB; sensitive to phase. */
	siSdrDb: number;
	/** RMS where nobody makes a sound, dBFS. */
	floorDb: number;
}

/** Reads a file of the evaluation whole; they are short. */
export async function wholeOf(pcm: PcmFile): Promise<Float32Array> {
	await using reader = await PcmReader.open(pcm);
	return await reader.read(0, pcm.frames);
}

/** @param output the recording, denoised or not. */
export function noiseFigures(
	{ clean, events }: Pick<Scene, 'clean' | 'events'>,
	output: Float32Array,
): NoiseFigures {
	const stillness = events
		.filter(({ kind }) => kind === 'long_silence')
		.map(({ startSeconds, endSeconds }) =>
			output.subarray(framesOf(startSeconds + 0.2), framesOf(endSeconds - 0.2)),
		);
	const energy = stillness.reduce((sum, part) => sum + rms(part) ** 2 * part.length, 0);
	const frames = stillness.reduce((sum, part) => sum + part.length, 0);
	return {
		siSdrDb: siSdrDb(clean, output),
		floorDb: toDb(Math.sqrt(energy / Math.max(1, frames))),
	};
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

/** What loudness normalization is asked for here. */
const TARGET_LUFS = -16;

/** Integrated loudness against what was asked for, LU, and true peak, dBTP, by ffmpeg's own meter. */
export async function loudnessFigures(pcm: PcmFile, folder: string) {
	const goal = { targetLufs: TARGET_LUFS, gateLufs: -120, ceilingDbtp: CEILING_DBTP };
	const normalized = await normalizeLoudness(pcmSourceOf(pcm), goal);
	const output = await writePcm(normalized, join(folder, 'normalized.f32'));
	const meter = ['-af', 'ebur128=peak=true', '-f', 'null', '-'];
	const options = ['-nostdin', '-hide_banner', ...pcmInputArguments(output), ...meter];
	const { stderr } = await execa(findFfmpeg().ffmpegPath, options);
	const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
	const read = (name: string) => Number(new RegExp(`${name}:\\s+(-?[\\d.]+)`).exec(summary)?.[1]);
	return { errorLu: Math.abs(read('I') - TARGET_LUFS), truePeakDbtp: read('Peak') };
}
