import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findFfmpeg } from '../../../service/media/ffmpeg/ffmpeg.mts';
import type { PcmFile } from '../../../service/media/pcmFile.mts';
import { wavFile } from '../../support/wavFile.ts';

const execute = promisify(execFile);

const SPOKEN = join(import.meta.dirname, '../../support/spoken.mp3');

/** Sample rate of the synthetic speech. */
export const SPEECH_RATE_HZ = 16_000;

/** Returns generated speech without noise, mono at 16 kHz, with an overall RMS of -20 dBFS. */
export async function speech(seconds: number): Promise<Float32Array> {
	const format = ['-ac', '1', '-ar', String(SPEECH_RATE_HZ), '-f', 'f32le', 'pipe:1'];
	const args = ['-v', 'error', '-i', SPOKEN, '-t', String(seconds), ...format];
	const options = { encoding: 'buffer', maxBuffer: 1 << 28 } as const;
	const { stdout } = await execute(findFfmpeg().ffmpegPath, args, options);
	const samples = new Float32Array(new Uint8Array(stdout).buffer);
	return scaled(samples, 0.1 / rms(samples));
}

/** Returns a progression of decaying chords, as loud as the speech, mono at 16 kHz. */
export function music(seconds: number): Float32Array {
	const chordsHz = [
		[220, 277.2, 329.6],
		[196, 246.9, 293.7],
		[174.6, 220, 261.6],
		[164.8, 207.7, 246.9],
	];
	const samples = Float32Array.from({ length: seconds * SPEECH_RATE_HZ }, (_, index) => {
		const time = index / SPEECH_RATE_HZ;
		const inChord = time % 0.6;
		const tones = chordsHz[Math.floor(time / 0.6) % chordsHz.length];
		let sum = 0;
		for (const hz of tones) {
			for (let k = 1; k <= 8; k++) sum += Math.sin(2 * Math.PI * hz * k * time + k * hz) / k;
		}
		return sum * Math.min(1, inChord / 0.02) * Math.exp(-inChord);
	});
	return scaled(samples, 0.1 / rms(samples));
}

/** Returns white noise with a given RMS, identical in every run. */
export function noise(length: number, level: number): Float32Array {
	let state = 12_345;
	return Float32Array.from({ length }, () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return level * Math.sqrt(3) * (state / 2 ** 31 - 1);
	});
}

/** Joins signals one after the other. */
export function inTurn(...signals: Float32Array[]): Float32Array {
	return Float32Array.from(signals.flatMap((signal) => [...signal]));
}

/** Mixes signals, to the length of the first. */
export function together(first: Float32Array, ...more: Float32Array[]): Float32Array {
	return first.map((sample, index) =>
		more.reduce((sum, signal) => sum + (signal[index] ?? 0), sample),
	);
}

/** Multiplies a signal by a factor. */
export function scaled(samples: Float32Array, factor: number): Float32Array {
	return samples.map((sample) => sample * factor);
}

/** Returns the root mean square of a signal. */
export function rms(samples: Float32Array): number {
	return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** Returns samples as a mono 16-bit WAV file at 16 kHz. */
export function wavOf(samples: Float32Array): Buffer {
	const data = Buffer.alloc(samples.length * 2);
	samples.forEach((sample, index) => {
		data.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))), index * 2);
	});
	return wavFile(data, SPEECH_RATE_HZ);
}

/** Writes samples to a PCM file of floats. */
export async function pcmOf(
	samples: Float32Array,
	path: string,
	{ sampleRateHz = SPEECH_RATE_HZ, channels = 1 } = {},
): Promise<PcmFile> {
	await writeFile(path, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
	return { path, sampleRateHz, channels, frames: samples.length / channels };
}
