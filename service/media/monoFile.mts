import { open } from 'node:fs/promises';

import { MonoMix } from './monoMix.mts';
import type { PcmFormat } from './pcmFile.mts';

const FULL_SCALE = 32_768;
const SAMPLE_BYTES = 2;

/**
 * Mixes interleaved 16-bit samples into one channel, and writes that to a file as 16-bit samples.
 *
 * @param maxFrames the rest is not read.
 */
export async function writeMono(
	stream: AsyncIterable<Uint8Array>,
	format: PcmFormat,
	outputPath: string,
	maxFrames: number,
): Promise<void> {
	const mix = new MonoMix(format);
	const frameBytes = format.channels * SAMPLE_BYTES;
	let [rest, frames] = [Buffer.alloc(0), 0];
	await using file = await open(outputPath, 'w');
	for await (const bytes of stream) {
		const all = Buffer.concat([rest, bytes]);
		const whole = all.length - (all.length % frameBytes);
		rest = all.subarray(whole);
		await file.write(mixedSamples(mix, all.subarray(0, whole)));
		frames += whole / frameBytes;
		// With timestamps that never advance, ffmpeg would not stop.
		if (frames > maxFrames) return;
	}
}

function mixedSamples(mix: MonoMix, bytes: Buffer): Uint8Array {
	const samples = new Float32Array(bytes.length / SAMPLE_BYTES);
	for (let i = 0; i < samples.length; i++) {
		samples[i] = bytes.readInt16LE(i * SAMPLE_BYTES) / FULL_SCALE;
	}
	const mono = mix.mixed(samples);
	const mixed = Buffer.alloc(mono.length * SAMPLE_BYTES);
	mono.forEach((sample, i) => {
		mixed.writeInt16LE(Math.round(sample * (FULL_SCALE - 1)), i * SAMPLE_BYTES);
	});
	return mixed;
}
