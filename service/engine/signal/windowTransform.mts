import { realFft } from './realFft.mts';

/** Samples per window, and between two windows. */
export const WINDOW_SAMPLES = 1_024;
export const HOP_SAMPLES = WINDOW_SAMPLES / 2;

/** Bins of a spectrum, from 0 to half the sample rate. */
export const BINS = HOP_SAMPLES + 1;

/** Both directions use root-Hann windows, so overlapping windows add up to the signal again. */
const WINDOW = Float32Array.from({ length: WINDOW_SAMPLES }, (_, i) =>
	Math.sin((Math.PI * (i + 0.5)) / WINDOW_SAMPLES),
);

const fft = realFft(WINDOW_SAMPLES);

/** Returns an empty spectrum: real and imaginary parts of each bin in turn. */
export function newSpectrum(): Float32Array {
	return new Float32Array(2 * BINS);
}

/** Writes the spectrum of the window that begins at `start`. */
export function spectrumAt(signal: Float32Array, start: number, spectrum: Float32Array): void {
	const { time } = fft;
	for (let i = 0; i < WINDOW_SAMPLES; i++) time[i] = signal[start + i] * WINDOW[i];
	fft.forward();
	spectrum.set(fft.spectrum);
	// The last bin has no imaginary part, and its real part has waited in the first bin's.
	spectrum[2 * BINS - 2] = spectrum[1];
	spectrum[1] = 0;
}

/** Transforms a spectrum back and adds its window to a signal. */
export function addWindow(spectrum: Float32Array, signal: Float32Array, start: number): void {
	const { time } = fft;
	fft.spectrum.set(spectrum.subarray(0, WINDOW_SAMPLES));
	fft.spectrum[1] = spectrum[2 * BINS - 2];
	fft.inverse();
	for (let i = 0; i < WINDOW_SAMPLES; i++) signal[start + i] += time[i] * SYNTHESIS[i];
}

const SYNTHESIS = WINDOW.map((value) => value / WINDOW_SAMPLES);
