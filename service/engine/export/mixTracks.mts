import { join } from 'node:path';

import { convertedTo } from '../../media/convertPcm.mts';
import type { PcmSource } from '../../media/pcmFile.mts';

/** Frames mixed at a time. */
const BLOCK_FRAMES = 65_536;

/**
 * Sums tracks that begin at the same moment, while the mix is read. The mix is as long as the
 * longest track, has the highest rate among them, and is stereo if any of them is. The floating-point sum
 * may exceed full scale, so a limiter must follow.
 *
 * @param workFolder for tracks that have to be converted to the common format.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function mixTracks(
	tracks: readonly PcmSource[],
	workFolder: string,
	signal?: AbortSignal,
): Promise<PcmSource> {
	const sampleRateHz = Math.max(...tracks.map((track) => track.sampleRateHz));
	const channels = Math.min(2, Math.max(...tracks.map((track) => track.channels)));
	const format = { sampleRateHz, channels };
	const alike: PcmSource[] = [];
	for (const [index, track] of tracks.entries()) {
		const path = join(workFolder, `mix-${index + 1}.f32`);
		alike.push(await convertedTo(format, track, path, signal));
	}
	const frames = Math.max(...alike.map((track) => track.frames));
	return {
		...format,
		frames,
		async *chunks(startFrame, endFrame) {
			const blocks = alike.map((track) =>
				blocksOf(
					track.chunks(startFrame, Math.min(endFrame, track.frames)),
					BLOCK_FRAMES * channels,
				),
			);
			for (let frame = startFrame; frame < endFrame; frame += BLOCK_FRAMES) {
				const sum = new Float32Array(Math.min(BLOCK_FRAMES, endFrame - frame) * channels);
				for (const [index, track] of alike.entries()) {
					if (frame >= track.frames) continue;
					const { value } = await blocks[index].next();
					value?.forEach((sample, i) => (sum[i] += sample));
				}
				yield sum;
			}
		},
	};
}

/** Regroups chunks of any length into blocks of one length; the last may be shorter. */
async function* blocksOf(
	chunks: AsyncIterable<Float32Array>,
	blockSamples: number,
): AsyncGenerator<Float32Array, undefined> {
	let block = new Float32Array(blockSamples);
	let filled = 0;
	for await (const chunk of chunks) {
		for (let offset = 0; offset < chunk.length; ) {
			const part = chunk.subarray(offset, offset + blockSamples - filled);
			block.set(part, filled);
			filled += part.length;
			offset += part.length;
			if (filled < blockSamples) continue;
			yield block;
			block = new Float32Array(blockSamples);
			filled = 0;
		}
	}
	if (filled > 0) yield block.subarray(0, filled);
}
