import { RATE_HZ } from '../signals.mts';

/** Zero crossings of the kernel on each side. */
const REACH = 16;

/** Positions between two samples that a kernel is made for. */
const PHASES = 512;

/** Brings a signal of a lower rate to that of the evaluation, with a windowed sinc. */
export function resampled(samples: Float32Array, rateHz: number): Float32Array {
	const kernels = Array.from({ length: PHASES }, (_, phase) => kernelAt(phase / PHASES));
	const step = rateHz / RATE_HZ;
	const padded = new Float32Array(samples.length + 2 * REACH);
	padded.set(samples, REACH);
	const output = new Float32Array(Math.floor(samples.length / step));
	for (let frame = 0; frame < output.length; frame++) {
		const position = frame * step;
		const first = Math.floor(position) + 1;
		const kernel = kernels[Math.floor((position % 1) * PHASES)];
		let sum = 0;
		for (let i = 0; i < kernel.length; i++) sum += padded[first + i] * kernel[i];
		output[frame] = sum;
	}
	return output;
}

function kernelAt(fraction: number): Float64Array {
	return Float64Array.from({ length: 2 * REACH }, (_, i) => {
		const distance = i - REACH + 1 - fraction;
		const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / REACH);
		return distance === 0 ? 1 : (window * Math.sin(Math.PI * distance)) / (Math.PI * distance);
	});
}
