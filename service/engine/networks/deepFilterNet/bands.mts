import { BINS, RATE_HZ, WINDOW_SAMPLES } from './frames.mts';

/** How wide the bands of hearing are (Moore and Glasberg 1983): this at 0 Hz, and in steps that grow with the frequency. */
const FIRST_HZ = 24.7;
const QUALITY = 9.265;

const BIN_HZ = RATE_HZ / WINDOW_SAMPLES;

/** A band has as many bins at least. */
const MIN_WIDTH = 2;

/** Returns the first bin of each of some bands that are as wide as hearing resolves, and the end of the last. */
export function bandEdges(bands: number): Uint16Array {
	const top = QUALITY * Math.log1p(RATE_HZ / 2 / (FIRST_HZ * QUALITY));
	const edges = new Uint16Array(bands + 1);
	let [before, over] = [0, 0];
	for (let band = 1; band <= bands; band++) {
		const hz = FIRST_HZ * QUALITY * Math.expm1((band * top) / bands / QUALITY);
		const bin = Math.round(hz / BIN_HZ);
		const width = Math.max(MIN_WIDTH, bin - before - over);
		over = width - (bin - before - over);
		edges[band] = edges[band - 1] + width;
		before = bin;
	}
	edges[bands] = BINS;
	return edges;
}
