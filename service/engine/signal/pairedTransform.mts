import FFT from 'fft.js';

/** Samples per window, and between two windows. */
export const WINDOW_SAMPLES = 1_024;
export const HOP_SAMPLES = WINDOW_SAMPLES / 2;

/** Bins of a spectrum, from 0 to half the sample rate. */
export const BINS = HOP_SAMPLES + 1;

/**
 * Transforms windows of two real signals with one complex FFT. Both directions use root-Hann windows,
 * so overlapping windows add up to the signal again.
 */
export class PairedTransform {
	readonly #fft = new FFT(WINDOW_SAMPLES);
	readonly #input = new Float64Array(2 * WINDOW_SAMPLES);
	readonly #output = new Float64Array(2 * WINDOW_SAMPLES);
	readonly #window = Float64Array.from({ length: WINDOW_SAMPLES }, (_, i) =>
		Math.sin((Math.PI * (i + 0.5)) / WINDOW_SAMPLES),
	);

	/** Writes the spectra of the windows that begin at `start`, real and imaginary parts alternating. */
	forward(
		[one, two]: readonly [Float32Array, Float32Array],
		start: number,
		[spectrumOne, spectrumTwo]: readonly [Float64Array, Float64Array],
	): void {
		const input = this.#input;
		const output = this.#output;
		const window = this.#window;
		for (let i = 0; i < WINDOW_SAMPLES; i++) {
			input[2 * i] = one[start + i] * window[i];
			input[2 * i + 1] = two[start + i] * window[i];
		}
		this.#fft.transform(output, input);
		for (let bin = 0; bin < BINS; bin++) {
			const a = 2 * bin;
			const b = mirrored(a);
			spectrumOne[a] = 0.5 * (output[a] + output[b]);
			spectrumOne[a + 1] = 0.5 * (output[a + 1] - output[b + 1]);
			spectrumTwo[a] = 0.5 * (output[a + 1] + output[b + 1]);
			spectrumTwo[a + 1] = 0.5 * (output[b] - output[a]);
		}
	}

	/** Transforms two spectra back and adds their windows to their signals. */
	addInverse(one: Placed, two: Placed): void {
		const input = this.#input;
		const output = this.#output;
		// The forward transform of the conjugate is the conjugate of the inverse, unscaled.
		for (let a = 0; a < 2 * BINS; a += 2) {
			const b = mirrored(a);
			const re = one.spectrum[a];
			const im = one.spectrum[a + 1];
			const twoRe = two.spectrum[a];
			const twoIm = two.spectrum[a + 1];
			input[a] = re - twoIm;
			input[a + 1] = -im - twoRe;
			input[b] = re + twoIm;
			input[b + 1] = im - twoRe;
		}
		this.#fft.transform(output, input);
		for (let i = 0; i < WINDOW_SAMPLES; i++) {
			const factor = this.#window[i] / WINDOW_SAMPLES;
			one.signal[one.start + i] += output[2 * i] * factor;
			two.signal[two.start + i] -= output[2 * i + 1] * factor;
		}
	}
}

/** Returns the place of a bin's conjugate; both are places in a complex array. */
function mirrored(place: number): number {
	return (2 * WINDOW_SAMPLES - place) % (2 * WINDOW_SAMPLES);
}

/** A spectrum, and where its window belongs. */
export interface Placed {
	spectrum: Float64Array;
	signal: Float32Array;
	start: number;
}
