import { realFft } from '../../signal/realFft.mts';

/** The network knows this rate only. */
export const RATE_HZ = 48_000;

/** Samples of a frame, and between two frames, 10 ms. */
export const WINDOW_SAMPLES = 960;
export const HOP_SAMPLES = WINDOW_SAMPLES / 2;

/** Bins of a spectrum, from 0 to half the sample rate, and its length: real and imaginary parts in turn. */
export const BINS = HOP_SAMPLES + 1;
export const SPECTRUM = 2 * BINS;

/** The network was trained with this window. It is used in both directions, so that frames add up to the signal again. */
const WINDOW = Float32Array.from({ length: WINDOW_SAMPLES }, (_, i) => {
	return Math.sin((Math.PI / 2) * Math.sin((Math.PI * (i + 0.5)) / WINDOW_SAMPLES) ** 2);
});
const ANALYSIS = WINDOW.map((value) => value / WINDOW_SAMPLES);

/** Writes the spectrum of the frame that begins at `start`, as the network expects it. */
export function spectrumAt(signal: Float32Array, start: number, spectrum: Float32Array): void {
	const fft = realFft(WINDOW_SAMPLES);
	for (let i = 0; i < WINDOW_SAMPLES; i++) fft.time[i] = signal[start + i] * ANALYSIS[i];
	fft.forward();
	spectrum.set(fft.spectrum);
	// The last bin has no imaginary part, and its real part has waited in the first bin's.
	spectrum[SPECTRUM - 2] = spectrum[1];
	spectrum[SPECTRUM - 1] = 0;
	spectrum[1] = 0;
}

/** Transforms a spectrum back and adds its frame to a signal. */
export function addFrame(spectrum: Float32Array, signal: Float32Array, start: number): void {
	const fft = realFft(WINDOW_SAMPLES);
	fft.spectrum.set(spectrum.subarray(0, WINDOW_SAMPLES));
	fft.spectrum[1] = spectrum[SPECTRUM - 2];
	fft.inverse();
	for (let i = 0; i < WINDOW_SAMPLES; i++) signal[start + i] += fft.time[i] * WINDOW[i];
}
