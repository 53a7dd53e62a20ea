import type { Chance } from '../measure/chance.mts';

/** Everything in the evaluation is made and judged at this rate, mono. */
export const RATE_HZ = 48_000;

export function framesOf(seconds: number): number {
	return Math.round(seconds * RATE_HZ);
}

/** Root mean square; 0 for nothing. */
export function rms(samples: Float32Array): number {
	let energy = 0;
	for (const sample of samples) energy += sample * sample;
	return Math.sqrt(energy / Math.max(1, samples.length));
}

export function toDb(amplitude: number): number {
	return 20 * Math.log10(amplitude + 1e-9);
}

export function fromDb(db: number): number {
	return 10 ** (db / 20);
}

/** The RMS of what is no more than 30 dB below the loudest 20 ms: speech without its pauses. */
export function activeRms(samples: Float32Array): number {
	const length = framesOf(0.02);
	const parts: number[] = [];
	for (let i = 0; i + length <= samples.length; i += length) {
		parts.push(rms(samples.subarray(i, i + length)));
	}
	const loudest = parts.reduce((most, part) => Math.max(most, part), 0);
	const active = parts.filter((part) => part > loudest * fromDb(-30));
	return Math.sqrt(active.reduce((sum, part) => sum + part * part, 0) / Math.max(1, active.length));
}

/** Scales in place to an RMS. */
export function atRms(samples: Float32Array, target: number): Float32Array {
	const gain = target / (rms(samples) + 1e-12);
	for (let i = 0; i < samples.length; i++) samples[i] *= gain;
	return samples;
}

export function scaled(samples: Float32Array, gain: number): Float32Array {
	return samples.map((sample) => sample * gain);
}

/** Adds one signal to another from a frame on; what reaches beyond the end is left out. */
export function addAt(
	target: Float32Array,
	source: Float32Array,
	startFrame: number,
	gain = 1,
): void {
	const end = Math.min(source.length, target.length - startFrame);
	for (let i = Math.max(0, -startFrame); i < end; i++) target[startFrame + i] += source[i] * gain;
}

/** Fades both ends in place. */
export function faded(samples: Float32Array, inSeconds: number, outSeconds: number): Float32Array {
	const [fadeIn, fadeOut] = [framesOf(inSeconds), framesOf(outSeconds)];
	for (let i = 0; i < samples.length; i++) {
		const gain = Math.min(1, (i + 1) / fadeIn, (samples.length - i) / fadeOut);
		samples[i] *= gain;
	}
	return samples;
}

export function whiteNoise(frames: number, chance: Chance): Float32Array {
	const noise = new Float32Array(frames);
	for (let i = 0; i < frames; i++) noise[i] = chance.between(-1, 1);
	return noise;
}

/** A second-order resonance (band-pass, 0 dB at its center). */
export function resonated(
	samples: Float32Array,
	centerHz: number,
	bandwidthHz: number,
): Float32Array {
	const angle = (2 * Math.PI * centerHz) / RATE_HZ;
	const alpha = Math.sin(angle) * Math.sinh((Math.LN2 / 2) * (bandwidthHz / centerHz));
	const [b0, a0, a1, a2] = [alpha, 1 + alpha, -2 * Math.cos(angle), 1 - alpha];
	const output = new Float32Array(samples.length);
	let [x1, x2, y1, y2] = [0, 0, 0, 0];
	for (let i = 0; i < samples.length; i++) {
		const y = (b0 * (samples[i] - x2) - a1 * y1 - a2 * y2) / a0;
		[x2, x1, y2, y1] = [x1, samples[i], y1, y];
		output[i] = y;
	}
	return output;
}

/** A one-pole low-pass. */
export function lowPassed(samples: Float32Array, cutHz: number): Float32Array {
	const share = 1 - Math.exp((-2 * Math.PI * cutHz) / RATE_HZ);
	let value = 0;
	return samples.map((sample) => (value += share * (sample - value)));
}

/** Played faster (> 1) or slower, with its pitch, by linear interpolation. */
export function atSpeed(samples: Float32Array, speed: number): Float32Array {
	return Float32Array.from({ length: Math.floor((samples.length - 1) / speed) }, (_, i) => {
		const position = i * speed;
		const index = Math.floor(position);
		return samples[index] + (samples[index + 1] - samples[index]) * (position - index);
	});
}
