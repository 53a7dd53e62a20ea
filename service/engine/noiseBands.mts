import { BINS, WINDOW_SAMPLES } from './signal/windowTransform.mts';
import { RNNOISE_RATE_HZ } from './rnnoise.mts';

const BIN_HZ = RNNOISE_RATE_HZ / WINDOW_SAMPLES;

/** First bin of each band, and the end of the last. */
const EDGES: readonly number[] = edges();

/** Number of bands in which noise is judged. */
export const BANDS = EDGES.length - 1;

/** The band of each bin. */
export const BAND_OF_BIN = Uint8Array.from({ length: BINS }, (_, bin) => {
	return EDGES.findLastIndex((edge) => edge <= bin);
});

/** Writes the mean power of the bins in each band. */
export function bandPowers(powers: Float64Array, target: Float64Array): void {
	for (let band = 0; band < BANDS; band++) {
		let sum = 0;
		for (let bin = EDGES[band]; bin < EDGES[band + 1]; bin++) sum += powers[bin];
		target[band] = sum / (EDGES[band + 1] - EDGES[band]);
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
