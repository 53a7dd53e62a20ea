import { ANALYSIS_RATE_HZ } from '../../signal/levels.mts';
import { PowerSpectrum } from '../../signal/powerSpectrum.mts';
import { FFT_SAMPLES, STEP_SAMPLES, WINDOW_SAMPLES } from '../windows.mts';

/** What the voice encoder hears of a moment: the power of this many bands. */
export const BANDS = 40;

/** The encoder learned from spectra of 400 samples: a longer one has more frequencies for the same power. */
const DENSITY = WINDOW_SAMPLES / FFT_SAMPLES;

/** Slaney's scale of pitches: in steps of 200/3 Hz up to 1 kHz, and of 6.4 ** (1 / 27) above. */
const LINEAR_STEP_HZ = 200 / 3;
const LINEAR_MAX_HZ = 1_000;
const LINEAR_STEPS = LINEAR_MAX_HZ / LINEAR_STEP_HZ;
const LOG_STEP = Math.log(6.4) / 27;

/** Takes mel spectra as the voice encoder expects them. */
export class MelPower {
	private readonly spectrum = new PowerSpectrum(FFT_SAMPLES, WINDOW_SAMPLES);
	private readonly filters = bandFilters();

	/** Writes the bands of each window of a sound, window by window, until the array is full. */
	write(samples: Float32Array, bands: Float32Array): void {
		for (let window = 0; window * BANDS < bands.length; window++) {
			const powers = this.spectrum.of(samples, window * STEP_SAMPLES);
			this.filters.forEach(({ first, weights }, band) => {
				let sum = 0;
				for (let i = 0; i < weights.length; i++) sum += weights[i] * powers[first + i];
				bands[window * BANDS + band] = sum;
			});
		}
	}
}

function hzOf(mel: number): number {
	if (mel < LINEAR_STEPS) return mel * LINEAR_STEP_HZ;
	return LINEAR_MAX_HZ * Math.exp(LOG_STEP * (mel - LINEAR_STEPS));
}

/** Triangles from one band's middle to the next, each with the same area. */
function bandFilters() {
	const top = LINEAR_STEPS + Math.log(ANALYSIS_RATE_HZ / 2 / LINEAR_MAX_HZ) / LOG_STEP;
	const middles = Array.from({ length: BANDS + 2 }, (_, at) => hzOf((top * at) / (BANDS + 1)));
	const bins = Array.from({ length: FFT_SAMPLES / 2 }, (_, bin) => bin);
	return Array.from({ length: BANDS }, (_, band) => {
		const [low, middle, high] = middles.slice(band, band + 3);
		const weightAt = (bin: number) => {
			const hz = (bin * ANALYSIS_RATE_HZ) / FFT_SAMPLES;
			const share = Math.min((hz - low) / (middle - low), (high - hz) / (high - middle));
			return (2 * DENSITY * Math.max(0, share)) / (high - low);
		};
		const inside = bins.filter((bin) => weightAt(bin) > 0);
		return { first: inside.at(0) ?? 0, weights: Float32Array.from(inside, weightAt) };
	});
}
