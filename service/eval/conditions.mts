import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import FFT from 'fft.js';

import { fileArgument } from '../media/ffmpeg/guardedInput.mts';
import { pcmInputArguments } from '../media/pcmFile.mts';
import { runFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import type { Chance } from '../../testkit/measure/chance.mts';
import { decoded } from '../../testkit/media/decoded.mts';
import { SPEECH_RMS } from './scene.mts';
import {
	atRms,
	framesOf,
	fromDb,
	lowPassed,
	RATE_HZ,
	scaled,
	whiteNoise,
} from '../../testkit/media/signals.mts';

/** The range of how much louder the direct sound is than the echo of the room, dB. */
const DIRECT_OVER_ROOM_DB = [2, 8] as const;

/** A recording in a room: a simulated impulse response, its highs dying away first. */
export function inRoom(samples: Float32Array, rt60: number, chance: Chance): Float32Array {
	const response = roomResponse(rt60, chance);
	return convolved(samples, response);
}

function roomResponse(rt60: number, chance: Chance): Float32Array {
	const frames = framesOf(rt60 * 0.9);
	const dull = lowPassed(whiteNoise(frames, chance), 2_500);
	const bright = whiteNoise(frames, chance);
	const response = new Float32Array(frames);
	const decay = Math.log(1_000) / rt60;
	for (let i = framesOf(0.015); i < frames; i++) {
		const seconds = i / RATE_HZ;
		response[i] =
			dull[i] * 2 * Math.exp(-decay * seconds) + bright[i] * 0.5 * Math.exp(-1.8 * decay * seconds);
	}
	for (let echo = 0; echo < 8; echo++) {
		const seconds = chance.between(0.003, 0.04);
		response[framesOf(seconds)] += 3 * Math.exp(-decay * seconds) * (chance.isTrue(0.5) ? 1 : -1);
	}
	const energy = response.reduce((sum, value) => sum + value * value, 0);
	const [low, high] = DIRECT_OVER_ROOM_DB;
	const gain = Math.sqrt(10 ** (-chance.between(low, high) / 10) / energy);
	const scaled = response.map((value) => value * gain);
	scaled[0] += 1;
	return scaled;
}

/** As long as the samples; what would sound after them is cut off. */
function convolved(samples: Float32Array, response: Float32Array): Float32Array {
	const size = 2 ** Math.ceil(Math.log2(2 * response.length));
	const step = size - response.length + 1;
	const fft = new FFT(size);
	const [filter, spectrum, product] = [0, 1, 2].map(() => new Float64Array(2 * size));
	const padded = new Float64Array(size);
	padded.set(response);
	fft.realTransform(filter, padded);
	fft.completeSpectrum(filter);
	const output = new Float32Array(samples.length);
	for (let start = 0; start < samples.length; start += step) {
		padded.fill(0);
		padded.set(samples.subarray(start, start + step));
		fft.realTransform(spectrum, padded);
		fft.completeSpectrum(spectrum);
		for (let i = 0; i < 2 * size; i += 2) {
			product[i] = spectrum[i] * filter[i] - spectrum[i + 1] * filter[i + 1];
			product[i + 1] = spectrum[i] * filter[i + 1] + spectrum[i + 1] * filter[i];
		}
		fft.inverseTransform(spectrum, product);
		const end = Math.min(size, samples.length - start);
		for (let i = 0; i < end; i++) output[start + i] += spectrum[2 * i];
	}
	return output;
}

/** Noise that falls by 3 dB an octave, at RMS 1 (Paul Kellet's filter). */
export function pinkNoise(frames: number, chance: Chance): Float32Array {
	let [slow, middle, fast] = [0, 0, 0];
	const noise = whiteNoise(frames, chance).map((white) => {
		slow = 0.99765 * slow + white * 0.099046;
		middle = 0.963 * middle + white * 0.2965164;
		fast = 0.57 * fast + white * 1.0526913;
		return slow + middle + fast + white * 0.1848;
	});
	return atRms(noise, 1);
}

/** The noise of a quiet room, against speech, dB. */
export function roomTone(frames: number, noiseDb: number, chance: Chance): Float32Array {
	return scaled(pinkNoise(frames, chance), SPEECH_RMS * fromDb(noiseDb));
}

/** Hum of the mains with its harmonics at RMS 1. */
export function hum(frames: number): Float32Array {
	const sound = Float32Array.from({ length: frames }, (_, i) =>
		[1, 2, 3, 4, 6, 9].reduce(
			(sum, n) => sum + Math.sin((2 * Math.PI * 50 * n * i) / RATE_HZ + n) / n,
			0,
		),
	);
	return atRms(sound, 1);
}

/** What a recording goes through besides the air: ffmpeg's options, and the file in between. */
export interface Passage {
	extension: string;
	options: readonly string[];
}

const TELEPHONE_BAND = ['-af', 'highpass=f=300,highpass=f=300,lowpass=f=3400', '-ar', '8000'];

export const MP3_64: Passage = { extension: 'mp3', options: ['-c:a', 'libmp3lame', '-b:a', '64k'] };
export const OPUS_24: Passage = { extension: 'opus', options: ['-c:a', 'libopus', '-b:a', '24k'] };

/** What a recording of a condition goes through, by chance: telephones of Europe, of America, and without a wire. */
export const PASSAGES: Readonly<Partial<Record<string, readonly Passage[]>>> = {
	telephone: [
		{ extension: 'wav', options: [...TELEPHONE_BAND, '-c:a', 'pcm_alaw'] },
		{ extension: 'wav', options: [...TELEPHONE_BAND, '-c:a', 'pcm_mulaw'] },
		{ extension: 'gsm', options: [...TELEPHONE_BAND, '-c:a', 'libgsm'] },
	],
	'mp3 64k': [MP3_64],
	'opus 24k': [OPUS_24],
};

export async function encode(
	samples: Float32Array,
	{ extension, options }: Passage,
	folder: string,
): Promise<string> {
	const path = join(folder, 'passage.f32');
	await writeFile(path, samples);
	const pcm = { path, sampleRateHz: RATE_HZ, channels: 1, frames: samples.length };
	const encodedPath = join(folder, `passage.${extension}`);
	await runFfmpeg([...pcmInputArguments(pcm), ...options, fileArgument(encodedPath)]);
	return encodedPath;
}

/** Encodes and decodes samples; as long as before. */
export async function passed(
	samples: Float32Array,
	passage: Passage,
	folder: string,
): Promise<Float32Array> {
	const encodedPath = await encode(samples, passage, folder);
	const sound = await decoded(['-i', fileArgument(encodedPath)]);
	const result = new Float32Array(samples.length);
	result.set(sound.subarray(0, samples.length));
	return result;
}
