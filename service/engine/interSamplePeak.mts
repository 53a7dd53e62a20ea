/** Samples used for interpolation; the peak lies between the middle two. */
export const PEAK_TAPS = 24;

/** Positions between two samples: four-fold oversampling, as ITU-R BS.1770 requires. */
const FRACTIONS = [0.25, 0.5, 0.75];

/** One windowed-sinc interpolator per fraction. */
const INTERPOLATORS = FRACTIONS.map(interpolator);

/** Returns the highest absolute value at, and just after, the middle of PEAK_TAPS samples. */
export function interSamplePeak(samples: Float32Array, start: number): number {
	let highest = Math.abs(samples[start + PEAK_TAPS / 2 - 1]);
	for (const taps of INTERPOLATORS) {
		let value = 0;
		for (let i = 0; i < PEAK_TAPS; i++) value += samples[start + i] * taps[i];
		highest = Math.max(highest, Math.abs(value));
	}
	return highest;
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
