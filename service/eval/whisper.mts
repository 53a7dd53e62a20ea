import {
	addWindow,
	BINS,
	newSpectrum,
	spectrumAt,
	WINDOW_SAMPLES,
} from '../engine/signal/windowTransform.mts';
import type { Chance } from '../../testkit/measure/chance.mts';
import { activeRms, RATE_HZ, scaled, whiteNoise } from '../../testkit/media/signals.mts';

const HOP_FRAMES = WINDOW_SAMPLES / 4;
const BIN_HZ = RATE_HZ / WINDOW_SAMPLES;

/** Over this many bins on each side the harmonics of a voice are gone, and its formants are still there. */
const REACH_BINS = 6;

/** A whisper is brighter than a voice, by 3 dB an octave here, and has little below 400 Hz. */
const [TILT_HZ, MAX_TILT, MIN_HZ] = [1_000, 2, 400];

/** The same words whispered, as loud as before: noise through the mouth of the speaker. */
export function whispered(samples: Float32Array, chance: Chance): Float32Array {
	const noise = whiteNoise(samples.length, chance);
	const [voice, breath] = [newSpectrum(), newSpectrum()];
	const whisper = new Float32Array(samples.length);
	for (let start = 0; start + WINDOW_SAMPLES <= samples.length; start += HOP_FRAMES) {
		spectrumAt(samples, start, voice);
		spectrumAt(noise, start, breath);
		for (let bin = 0; bin < BINS; bin++) {
			const gain = mouthGain(voice, bin);
			breath[2 * bin] *= gain;
			breath[2 * bin + 1] *= gain;
		}
		addWindow(breath, whisper, start);
	}
	return scaled(whisper, activeRms(samples) / activeRms(whisper));
}

/** How much of a frequency the mouth lets through. */
function mouthGain(voice: Float32Array, bin: number): number {
	let power = 0;
	for (let near = bin - REACH_BINS; near <= bin + REACH_BINS; near++) {
		power += (voice[2 * near] ?? 0) ** 2 + (voice[2 * near + 1] ?? 0) ** 2;
	}
	const hz = bin * BIN_HZ;
	return Math.sqrt(power) * Math.min(MAX_TILT, Math.sqrt(hz / TILT_HZ)) * Math.min(1, hz / MIN_HZ);
}
