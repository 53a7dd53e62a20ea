import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { rms, scaled } from '../media/signals.mts';
import type { PcmFile } from '../../service/media/pcmFile.mts';
import { wavFile } from '../media/wavFile.ts';
import { convertedTo, levelDb, samplesOf } from './media.mts';

export { rms, scaled };

const spoken = await readFile(join(import.meta.dirname, '../media/spoken.mp3'));

export const SPEECH_RATE_HZ = 16_000;

/** Returns generated speech without noise, mono at 16 kHz, with an overall RMS of -20 dBFS. */
export async function speech(seconds: number): Promise<Float32Array> {
	const samples = (await samplesOf(spoken)).slice(0, seconds * SPEECH_RATE_HZ);
	return scaled(samples, 0.1 / rms(samples));
}

/**
 * Ten seconds of a synthetic voice. Its only pause of more than half a second is one of 0.7 s:
 * a pause of 0.4 s with 0.3 s of the room's sound from another pause.
 */
export async function speechWithShortSilence(): Promise<Buffer> {
	const spans = ['14:19.7', '12:12.3', '19.7:24'];
	const parts = spans.map((span, index) => `[0:a]atrim=${span}[${index}]`);
	const graph = `${parts.join(';')};[0][1][2]concat=n=3:v=0:a=1`;
	return await convertedTo(spoken, 'wav', '-filter_complex', graph, '-ac', '1');
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

export function inTurn(...signals: Float32Array[]): Float32Array {
	return Float32Array.from(signals.flatMap((signal) => [...signal]));
}

/** Mixes signals, to the length of the first. */
export function together(first: Float32Array, ...more: Float32Array[]): Float32Array {
	return first.map((sample, index) =>
		more.reduce((sum, signal) => sum + (signal[index] ?? 0), sample),
	);
}

/** Returns sixteen people who talk at once, with a given RMS: a voice from other places on, at other speeds. */
export function crowdOf(voice: Float32Array, level: number): Float32Array {
	const [first, ...others] = Array.from({ length: 16 }, (_, person) => {
		const [from, speed] = [person * Math.floor(voice.length / 17), 0.8 + 0.03 * person];
		return voice.map((_sample, i) => voice[Math.floor(from + speed * i) % voice.length]);
	});
	const sound = together(first, ...others);
	return scaled(sound, level / rms(sound));
}

/** What is denoised. */
export const RATE_HZ = 48_000;

/** Raises 16 kHz to 48 kHz, good enough for a test. */
export function raised(samples: Float32Array): Float32Array {
	return Float32Array.from({ length: 3 * samples.length - 2 }, (_, i) => {
		const [index, way] = [Math.floor(i / 3), (i % 3) / 3];
		return samples[index] + way * ((samples[index + 1] ?? 0) - samples[index]);
	});
}

/** Leaves only what sounds between these times. */
export function only(samples: Float32Array, ...ranges: Array<readonly [from: number, to: number]>) {
	return samples.map((sample, i) =>
		ranges.some(([from, to]) => i > from * RATE_HZ && i < to * RATE_HZ) ? sample : 0,
	);
}

/** The level between two times at 48 kHz, dBFS. */
export function level(samples: Float32Array, start: number, end: number): number {
	return levelDb(samples, (start * RATE_HZ) / SPEECH_RATE_HZ, (end * RATE_HZ) / SPEECH_RATE_HZ);
}

/** How far apart two sounds are, against the second, dB. */
export function differenceDb(one: Float32Array, other: Float32Array): number {
	return 20 * Math.log10(rms(one.map((sample, i) => sample - other[i])) / rms(other) + 1e-9);
}

/** Comparing with `deepEqual` would print a million samples. */
export function areSame(one: Float32Array, other: Float32Array): boolean {
	return one.length === other.length && one.every((sample, i) => sample === other[i]);
}

/** Returns samples as a mono 16-bit WAV file. */
export function wavOf(samples: Float32Array, rateHz = SPEECH_RATE_HZ): Buffer {
	const data = Buffer.alloc(samples.length * 2);
	samples.forEach((sample, index) => {
		data.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))), index * 2);
	});
	return wavFile(data, rateHz);
}

export async function pcmOf(
	samples: Float32Array,
	path: string,
	{ sampleRateHz = SPEECH_RATE_HZ, channels = 1 } = {},
): Promise<PcmFile> {
	await writeFile(path, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
	return { path, sampleRateHz, channels, frames: samples.length / channels };
}
