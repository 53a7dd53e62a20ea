import { bandEdges } from './bands.mts';
import { SPECTRUM } from './frames.mts';

/** The network hears the levels of this many bands, and so many of the lowest bins with their phases. */
export const BANDS = 32;
export const FILTERED = 96;

export const BAND_EDGES = bandEdges(BANDS);

/** How much of the past counts in a mean: that of a second. */
const MEMORY = 0.99;

/** Levels of bands in dB, before anything was heard: of the lowest and of the highest. */
const [FIRST_DB, LAST_DB] = [-60, -90];
const SCALE_DB = 40;
const FAINTEST = 1e-10;

/** Amplitudes of bins, before anything was heard. */
const [FIRST_SIZE, LAST_SIZE] = [0.001, 0.0001];

const between = (first: number, last: number, count: number) => {
	return Float32Array.from({ length: count }, (_, i) => {
		return first + ((last - first) * i) / (count - 1);
	});
};

/** Takes from spectra what the network hears: each level and each bin against its mean of the last second. */
export class Features {
	private readonly levels = between(FIRST_DB, LAST_DB, BANDS);
	private readonly sizes = between(FIRST_SIZE, LAST_SIZE, FILTERED);

	/** Writes the features of the next frame: of its bands, and the real and the imaginary parts of its bins. */
	write(spectrum: Float32Array, bands: Float32Array, re: Float32Array, im: Float32Array): void {
		const { levels, sizes } = this;
		if (spectrum.length !== SPECTRUM) throw new RangeError('This is no frame');
		const power = (bin: number) => spectrum[2 * bin] ** 2 + spectrum[2 * bin + 1] ** 2;
		for (let band = 0; band < BANDS; band++) {
			const [start, end] = [BAND_EDGES[band], BAND_EDGES[band + 1]];
			let sum = 0;
			for (let bin = start; bin < end; bin++) sum += power(bin);
			const level = 10 * Math.log10(sum / (end - start) + FAINTEST);
			levels[band] = level * (1 - MEMORY) + levels[band] * MEMORY;
			bands[band] = (level - levels[band]) / SCALE_DB;
		}
		for (let bin = 0; bin < FILTERED; bin++) {
			sizes[bin] = Math.sqrt(power(bin)) * (1 - MEMORY) + sizes[bin] * MEMORY;
			const scale = 1 / Math.sqrt(sizes[bin]);
			re[bin] = spectrum[2 * bin] * scale;
			im[bin] = spectrum[2 * bin + 1] * scale;
		}
	}
}
