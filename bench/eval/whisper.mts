import FFT from 'fft.js';

import type { Chance } from './chance.mts';
import { activeRms, RATE_HZ, scaled, whiteNoise } from './signals.mts';

const WINDOW_FRAMES = 1_024;
const HOP_FRAMES = WINDOW_FRAMES / 4;
const BIN_HZ = RATE_HZ / WINDOW_FRAMES;

/** Over this many bins on each side the harmonics of a voice are gone, and its formants are still there. */
const REACH_BINS = 6;

/** A whisper is brighter than a voice, by 3 dB an octave here, and has little below 400 Hz. */
const [TILT_HZ, MOST_TILT, LOWEST_HZ] = [1_000, 2, 400];

/** The same words whispered, as loud as before: noise through the mouth of the speaker. */
export function whispered(samples: Float32Array, chance: Chance): Float32Array {
	const fft = new FFT(WINDOW_FRAMES);
	const noise = whiteNoise(samples.length, chance);
	const window = Float64Array.from({ length: WINDOW_FRAMES }, (_, frame) =>
		Math.sin((Math.PI * (frame + 0.5)) / WINDOW_FRAMES),
	);
	const [voice, breath, sound] = [0, 1, 2].map(() => new Float64Array(2 * WINDOW_FRAMES));
	const whisper = new Float32Array(samples.length);
	for (let start = 0; start + WINDOW_FRAMES <= samples.length; start += HOP_FRAMES) {
		const windowed = (all: Float32Array) => window.map((gain, frame) => gain * all[start + frame]);
		fft.realTransform(voice, windowed(samples));
		fft.realTransform(breath, windowed(noise));
		mouthGainsOf(voice).forEach((gain, bin) => {
			breath[2 * bin] *= gain;
			breath[2 * bin + 1] *= gain;
		});
		fft.completeSpectrum(breath);
		fft.inverseTransform(sound, breath);
		window.forEach((gain, frame) => (whisper[start + frame] += gain * sound[2 * frame]));
	}
	return scaled(whisper, activeRms(samples) / activeRms(whisper));
}

/** How much of each frequency the mouth lets through. */
function mouthGainsOf(voice: Float64Array): Float64Array {
	return new Float64Array(WINDOW_FRAMES / 2 + 1).map((_, bin) => {
		let power = 0;
		for (let near = bin - REACH_BINS; near <= bin + REACH_BINS; near++) {
			power += (voice[2 * near] ?? 0) ** 2 + (voice[2 * near + 1] ?? 0) ** 2;
		}
		const hz = bin * BIN_HZ;
		const tilt = Math.min(MOST_TILT, Math.sqrt(hz / TILT_HZ)) * Math.min(1, hz / LOWEST_HZ);
		return Math.sqrt(power) * tilt;
	});
}
