import { type Decisions, FILTER, LOOK_AHEAD, TAPS } from './deepFilterNet.mts';
import { BAND_EDGES, BANDS, FILTERED } from './features.mts';
import { SPECTRUM } from './frames.mts';

/**
 * Writes a frame as the network decided: the lowest bins filtered with the frames around it, the others scaled.
 *
 * @param spectra of frames, one after another.
 * @param decisions about the same frames.
 */
export function writeDecided(
	spectra: Float32Array,
	{ gains, filters }: Decisions,
	frame: number,
	target: Float32Array,
): void {
	const here = frame * SPECTRUM;
	for (let band = 0; band < BANDS; band++) {
		const gain = gains[frame * BANDS + band];
		const end = 2 * BAND_EDGES[band + 1];
		for (let i = 2 * BAND_EDGES[band]; i < end; i++) target[i] = gain * spectra[here + i];
	}
	const first = here - LOOK_AHEAD * SPECTRUM;
	for (let bin = 0; bin < FILTERED; bin++) {
		let re = 0;
		let im = 0;
		let factor = frame * FILTER + 2 * TAPS * bin;
		for (let at = first + 2 * bin, tap = 0; tap < TAPS; tap++, at += SPECTRUM, factor += 2) {
			// Pairs in arrays would be memory to clear away, a thousand times a frame.
			const a = spectra[at];
			const b = spectra[at + 1];
			const c = filters[factor];
			const d = filters[factor + 1];
			re += a * c - b * d;
			im += a * d + b * c;
		}
		target[2 * bin] = re;
		target[2 * bin + 1] = im;
	}
}
