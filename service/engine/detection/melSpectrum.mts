import { PowerSpectrum } from '../signal/powerSpectrum.mts';
import { ANALYSIS_RATE_HZ } from '../signal/levels.mts';

/** Bands a spectrum is taken in: as wide as the ear's, from 100 Hz to 7.6 kHz. */
export const MEL_BANDS = 20;

const MIN_HZ = 100;
const MAX_HZ = 7_600;

const FFT_SAMPLES = 512;

/** 25 ms: at least two periods of the lowest voice. */
const WINDOW_SAMPLES = 400;

/** A spectrum is stored in half decibels above this. */
const MIN_DB = -120;

/** Takes mel spectra of a signal, one after the other. */
export class MelSpectrum {
	private readonly spectrum = new PowerSpectrum(FFT_SAMPLES, WINDOW_SAMPLES);
	private readonly filters = bandFilters();

	/** Writes the spectrum around sample 400 of a buffer, in half decibels above -120 dBFS. */
	write(buffer: Float32Array, mel: Uint8Array, offset: number): void {
		const powers = this.spectrum.of(buffer, buffer.length - 440);
		for (let band = 0; band < MEL_BANDS; band++) {
			const { first, weights } = this.filters[band];
			let energy = 0;
			for (let i = 0; i < weights.length; i++) energy += weights[i] * powers[first + i];
			const db = 10 * Math.log10(energy + 1e-12);
			mel[offset + band] = Math.min(255, Math.max(0, 2 * (db - MIN_DB)));
		}
	}
}

/** Triangles from one band's middle to the next; their sum over all bands is the level of the sound. */
function bandFilters() {
	const edges = bandEdges().map((hz) => (hz * FFT_SAMPLES) / ANALYSIS_RATE_HZ);
	// Energy of the two halves of the spectrum, over the energy of the window.
	const scale = 2 / (FFT_SAMPLES * 0.375 * WINDOW_SAMPLES);
	return Array.from({ length: MEL_BANDS }, (_, band) => {
		const [low, middle, high] = edges.slice(band, band + 3);
		const first = Math.ceil(low);
		const length = Math.max(1, Math.floor(high) - first + 1);
		const weights = Float64Array.from({ length }, (_, i) => {
			const bin = first + i;
			const share = bin < middle ? (bin - low) / (middle - low) : (high - bin) / (high - middle);
			return scale * Math.max(0, share);
		});
		return { first, weights };
	});
}

function bandEdges(): number[] {
	const mel = (hz: number) => 1127 * Math.log(1 + hz / 700);
	const [low, high] = [mel(MIN_HZ), mel(MAX_HZ)];
	return Array.from({ length: MEL_BANDS + 2 }, (_, i) => {
		const value = low + ((high - low) * i) / (MEL_BANDS + 1);
		return 700 * (Math.exp(value / 1127) - 1);
	});
}
