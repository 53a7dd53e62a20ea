import { quantile } from '../signal/levels.mts';
import { MEL_BANDS } from './melSpectrum.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';

/** The mean spectrum of a stretch: each band's share of the whole, dB. */
export function profileOf(mel: Uint8Array, { start, end }: IndexRange): Float32Array {
	const energies = new Float64Array(MEL_BANDS);
	for (let hop = start; hop < end; hop++) {
		for (let band = 0; band < MEL_BANDS; band++) {
			energies[band] += 10 ** (mel[hop * MEL_BANDS + band] / 20 - 12);
		}
	}
	const total = energies.reduce((sum, energy) => sum + energy, 0);
	return Float32Array.from(energies, (energy) => 10 * Math.log10(energy / (total + 1e-18) + 1e-6));
}

/** The bands whose shape distinguishes sounds: up to about 4 kHz. */
const SHAPE_BANDS = 15;

/** Distance at which a sound is compared with itself, hops. */
const CHANGE_HOPS = 3;

/**
 * How much the shape of a sound changes within 30 ms, dB a band, whatever its loudness: at 60 % of
 * the stretch it is no more than this. Held vowels and breaths change little, words much.
 *
 * @param faintestDb what is further below the loudest band of its hop does not count
 */
export function restlessnessOf(
	mel: Uint8Array,
	{ start, end }: IndexRange,
	faintestDb = Infinity,
): number {
	const changes: number[] = [];
	for (let hop = start; hop + CHANGE_HOPS < end; hop++) {
		changes.push(shapeDistance(mel, hop, hop + CHANGE_HOPS, faintestDb));
	}
	return changes.length === 0 ? Infinity : quantile(changes, 0.6);
}

/** The mean difference of two hops' bands, loudness aside, dB. */
function shapeDistance(mel: Uint8Array, one: number, other: number, faintestDb: number): number {
	const levelIn = (hop: number) => {
		const bands = mel.subarray(hop * MEL_BANDS, (hop + 1) * MEL_BANDS);
		const floor = Math.max(...bands) - 2 * faintestDb;
		return (band: number) => Math.max(floor, bands[band]);
	};
	const [before, after] = [levelIn(one), levelIn(other)];
	return meanDeviation((band) => after(band) - before(band)) / 2;
}

/** Bands further below the whole than this are too faint to distinguish sounds, dB. */
const FAINTEST_SHARE_DB = -35;

/** The mean difference of two profiles, loudness aside, dB a band. */
export function profileDistance(one: Float32Array, other: Float32Array): number {
	return meanDeviation(
		(band) => Math.max(FAINTEST_SHARE_DB, one[band]) - Math.max(FAINTEST_SHARE_DB, other[band]),
	);
}

/** How far the differences of the bands are from their mean, on average. */
function meanDeviation(differenceIn: (band: number) => number): number {
	// Called for each hop of what may go, so it makes no array.
	let sum = 0;
	for (let band = 0; band < SHAPE_BANDS; band++) sum += differenceIn(band);
	const mean = sum / SHAPE_BANDS;
	let deviation = 0;
	for (let band = 0; band < SHAPE_BANDS; band++) deviation += Math.abs(differenceIn(band) - mean);
	return deviation / SHAPE_BANDS;
}
