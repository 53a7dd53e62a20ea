import { MEL_BANDS } from './melSpectrum.mts';
import type { Scene } from './scene.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';

/** A sound this far below speech counts as silence, in half decibels. */
const DEPTH_HALF_DB = 2 * 42;

/** How far the repetition may be ahead or late, in hops. */
const REACH_HOPS = 4;

/**
 * Returns how much a sound differs from the sound at a later hop: the mean difference of their bands, dB.
 * It compares them along the best alignment (dynamic time warping), because repetitions differ in pace.
 */
export function soundDifference(scene: Scene, fragment: IndexRange, later: number): number {
	const length = fragment.end - fragment.start;
	const width = 2 * REACH_HOPS + 1;
	let previous = new Float64Array(width).fill(Infinity);
	for (let step = 0; step < length; step++) {
		const current = new Float64Array(width).fill(Infinity);
		for (let place = 0; place < width; place++) {
			const other = later + step + place - REACH_HOPS;
			if (other < later - 1 || other >= scene.hops) continue;
			// A step in the fragment goes with one, none or two in what is compared.
			const before =
				step === 0
					? 0
					: Math.min(
							previous[place],
							(previous[place + 1] ?? Infinity) + 1,
							(previous[place - 1] ?? Infinity) + 1,
						);
			current[place] = before + distance(scene, fragment.start + step, other);
		}
		previous = current;
	}
	return Math.min(...previous) / length;
}

function distance({ denoised, denoisedSpeechDb }: Scene, one: number, other: number): number {
	const floor = 2 * (denoisedSpeechDb + 120) - DEPTH_HALF_DB;
	let sum = 0;
	for (let band = 0; band < MEL_BANDS; band++) {
		const a = Math.max(floor, denoised.mel[one * MEL_BANDS + band]);
		const b = Math.max(floor, denoised.mel[other * MEL_BANDS + band]);
		sum += Math.abs(a - b);
	}
	return sum / 2 / MEL_BANDS;
}
