import { realFft, type RealFft } from './realFft.mts';

/** Computes power spectra of Hann-windowed signals. */
export class PowerSpectrum {
	private readonly fft: RealFft;
	private readonly shape: Float32Array;
	private readonly powers: Float64Array;

	/** @param fftSamples a power of two; a shorter window is zero-padded. */
	constructor(fftSamples: number, windowSamples = fftSamples) {
		this.fft = realFft(fftSamples);
		this.shape = Float32Array.from(
			{ length: windowSamples },
			(_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / windowSamples),
		);
		this.powers = new Float64Array(fftSamples / 2);
	}

	/**
	 * Returns the squared magnitude per frequency, unscaled; valid until the next call.
	 *
	 * @param start first sample of the window.
	 * @param step distance between samples of the channel.
	 */
	of(samples: ArrayLike<number>, start = 0, step = 1): Float64Array {
		const { time, spectrum } = this.fft;
		const shape = this.shape;
		for (let i = 0; i < shape.length; i++) time[i] = samples[start + i * step] * shape[i];
		time.fill(0, shape.length);
		this.fft.forward();
		const powers = this.powers;
		powers[0] = spectrum[0] ** 2;
		for (let bin = 1; bin < powers.length; bin++) {
			const re = spectrum[2 * bin];
			const im = spectrum[2 * bin + 1];
			powers[bin] = re * re + im * im;
		}
		return powers;
	}
}
