/** Samples used for interpolation; the peak lies between the middle two. */
export const PEAK_TAPS = 24;

const HALF = PEAK_TAPS / 2;

/**
 * Four-fold oversampling, as ITU-R BS.1770 requires: a quarter, a half and three quarters of the way
 * between two samples, by a windowed sinc each. The first and the last filter mirror each other, and the
 * middle one is symmetric. Sums and differences of the taps from both ends therefore serve all three.
 */
const quarter = interpolator(0.25);
const mirrored = quarter.toReversed();
const EVEN = Float64Array.from({ length: HALF }, (_, i) => (quarter[i] + mirrored[i]) / 2);
const ODD = Float64Array.from({ length: HALF }, (_, i) => (quarter[i] - mirrored[i]) / 2);
const MIDDLE = interpolator(0.5).subarray(0, HALF);

/** Returns the highest absolute value at, and just after, the middle of PEAK_TAPS samples. */
export function interSamplePeak(samples: Float32Array, start: number): number {
	let even = 0;
	let odd = 0;
	let middle = 0;
	for (let i = 0; i < HALF; i++) {
		const one = samples[start + i];
		const other = samples[start + PEAK_TAPS - 1 - i];
		const sum = one + other;
		even += sum * EVEN[i];
		middle += sum * MIDDLE[i];
		odd += (one - other) * ODD[i];
	}
	const before = Math.abs(samples[start + HALF - 1]);
	return Math.max(before, Math.abs(middle), Math.abs(even + odd), Math.abs(even - odd));
}

function interpolator(fraction: number): Float64Array {
	const taps = Float64Array.from({ length: PEAK_TAPS }, (_, index) => {
		const distance = index - (PEAK_TAPS / 2 - 1) - fraction;
		const angle = Math.PI * distance;
		const sinc = Math.sin(angle) / angle;
		const hann = 0.5 + 0.5 * Math.cos((2 * angle) / (PEAK_TAPS + 1));
		return sinc * hann;
	});
	const sum = taps.reduce((total, tap) => total + tap, 0);
	return taps.map((tap) => tap / sum);
}
