import FFT from 'fft.js';

/** Computes power spectra of Hann-windowed signals. */
export class PowerSpectrum {
	readonly #fft: FFT;
	readonly #shape: Float64Array;
	readonly #input: Float64Array;
	readonly #output: Float64Array;
	readonly #powers: Float64Array;

	/** @param fftSamples a power of two; a shorter window is zero-padded. */
	constructor(fftSamples: number, windowSamples = fftSamples) {
		this.#fft = new FFT(fftSamples);
		this.#shape = Float64Array.from(
			{ length: windowSamples },
			(_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / windowSamples),
		);
		this.#input = new Float64Array(fftSamples);
		this.#output = new Float64Array(2 * fftSamples);
		this.#powers = new Float64Array(fftSamples / 2);
	}

	/**
	 * Returns the squared magnitude per frequency, unscaled; valid until the next call.
	 *
	 * @param start first sample of the window.
	 * @param step distance between samples of the channel.
	 */
	of(samples: ArrayLike<number>, start = 0, step = 1): Float64Array {
		for (let i = 0; i < this.#shape.length; i++) {
			this.#input[i] = samples[start + i * step] * this.#shape[i];
		}
		this.#fft.realTransform(this.#output, this.#input);
		for (let bin = 0; bin < this.#powers.length; bin++) {
			const [re, im] = [this.#output[2 * bin], this.#output[2 * bin + 1]];
			this.#powers[bin] = re * re + im * im;
		}
		return this.#powers;
	}
}
