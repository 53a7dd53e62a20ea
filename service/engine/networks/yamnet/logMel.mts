import { PowerSpectrum } from '../../signal/powerSpectrum.mts';
import { ANALYSIS_RATE_HZ } from '../../signal/levels.mts';
import { FFT_SAMPLES, STEP_SAMPLES, WINDOW_SAMPLES } from '../windows.mts';

/** What YAMNet hears of a moment: the levels of this many bands. */
export const BANDS = 64;

const MIN_HZ = 125;
const MAX_HZ = 7_500;

/** Added to each band before its logarithm is taken: what the network was trained with. */
const FLOOR = 0.001;

/** Takes the logarithms of mel spectra as YAMNet expects them. */
export class LogMel {
	private readonly spectrum = new PowerSpectrum(FFT_SAMPLES, WINDOW_SAMPLES);
	private readonly filters = bandFilters();

	/** Writes the bands of each window of a sound, window by window, until the array is full. */
	write(samples: Float32Array, bands: Float32Array): void {
		const windows = bands.length / BANDS;
		for (let window = 0; window < windows; window++) {
			const powers = this.spectrum.of(samples, window * STEP_SAMPLES);
			this.filters.forEach(({ first, weights }, band) => {
				let sum = 0;
				for (let i = 0; i < weights.length; i++) sum += weights[i] * Math.sqrt(powers[first + i]);
				bands[window * BANDS + band] = Math.log(sum + FLOOR);
			});
		}
	}
}

const melOf = (hz: number) => 1127 * Math.log(1 + hz / 700);

/** Triangles on the mel scale from one band's middle to the next. */
function bandFilters() {
	const [low, high] = [melOf(MIN_HZ), melOf(MAX_HZ)];
	const width = (high - low) / (BANDS + 1);
	const melAt = (bin: number) => melOf((bin * ANALYSIS_RATE_HZ) / FFT_SAMPLES);
	const bins = Array.from({ length: FFT_SAMPLES / 2 }, (_, bin) => bin);
	return Array.from({ length: BANDS }, (_, band) => {
		const middle = low + (band + 1) * width;
		const weightAt = (bin: number) => 1 - Math.abs(melAt(bin) - middle) / width;
		// The band of 0 Hz has no place on the scale.
		const inside = bins.filter((bin) => bin > 0 && weightAt(bin) > 0);
		const first = inside.at(0) ?? 0;
		return { first, weights: Float32Array.from(inside, weightAt) };
	});
}
