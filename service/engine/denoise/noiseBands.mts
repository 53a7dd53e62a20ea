import { BINS, WINDOW_SAMPLES } from '../signal/windowTransform.mts';
import { RNNOISE_RATE_HZ } from './models/rnnoise.mts';

export const BIN_HZ = RNNOISE_RATE_HZ / WINDOW_SAMPLES;

/** First bin of each band, and the end of the last. */
export const BAND_EDGES = Uint16Array.from(edges());

/** Number of bands in which noise is judged. */
export const BANDS = BAND_EDGES.length - 1;

/** Writes the mean power of the bins in each band. */
export function bandPowers(powers: Float64Array, target: Float64Array): void {
	for (let band = 0; band < BANDS; band++) {
		const [start, end] = [BAND_EDGES[band], BAND_EDGES[band + 1]];
		let sum = 0;
		for (let bin = start; bin < end; bin++) sum += powers[bin];
		target[band] = sum / (end - start);
	}
}

/** Bands are half as wide as those of the ear (Glasberg and Moore 1990), and at least one bin. */
function edges(): number[] {
	const list = [0];
	for (let bin = 0; bin < BINS; ) {
		const widthHz = (24.7 + 0.108 * bin * BIN_HZ) / 2;
		bin += Math.max(1, Math.round(widthHz / BIN_HZ));
		list.push(Math.min(bin, BINS));
	}
	return list;
}
