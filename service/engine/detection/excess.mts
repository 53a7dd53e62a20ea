import { HOPS_PER_SECOND } from '../signal/levels.mts';
import type { SignalFeatures } from './features.mts';
import { MEL_BANDS } from './melSpectrum.mts';

/** Bands in which breaths and mouth sounds are heard: about 400 Hz to 6 kHz. */
const FIRST_BAND = 3;
const LAST_BAND = 17;

/** The floor of a band is its 20th percentile in the 24 s around, measured every 2 s. */
const FLOOR_SHARE = 0.2;
const FLOOR_STEP_HOPS = 2 * HOPS_PER_SECOND;
const FLOOR_REACH_STEPS = 6;

/**
 * How far a sound stands out from the local noise, in dB: the mean over the bands of what each has
 * above its own floor. A hum or rumble that drowns a breath in level does not do so here.
 */
export function excessDb({ hops, mel }: SignalFeatures): Float32Array {
	const steps = Math.ceil(hops / FLOOR_STEP_HOPS);
	const excess = new Float32Array(hops);
	const near: Uint16Array[] = [];
	for (let step = -FLOOR_REACH_STEPS; step < steps; step++) {
		const ahead = step + FLOOR_REACH_STEPS;
		if (ahead < steps) near.push(histogramOf(mel, hops, ahead));
		if (step > FLOOR_REACH_STEPS) near.shift();
		if (step < 0) continue;
		const floor = floorOf(near);
		const end = Math.min(hops, (step + 1) * FLOOR_STEP_HOPS);
		for (let hop = step * FLOOR_STEP_HOPS; hop < end; hop++) {
			let sum = 0;
			for (let band = FIRST_BAND; band <= LAST_BAND; band++) {
				sum += Math.max(0, mel[hop * MEL_BANDS + band] - floor[band]);
			}
			excess[hop] = sum / 2 / (LAST_BAND - FIRST_BAND + 1);
		}
	}
	return excess;
}

/** How often each value is met in each band during a step. */
function histogramOf(mel: Uint8Array, hops: number, step: number): Uint16Array {
	const histogram = new Uint16Array(MEL_BANDS * 256);
	const end = Math.min(hops, (step + 1) * FLOOR_STEP_HOPS);
	for (let hop = step * FLOOR_STEP_HOPS; hop < end; hop++) {
		for (let band = 0; band < MEL_BANDS; band++)
			histogram[band * 256 + mel[hop * MEL_BANDS + band]]++;
	}
	return histogram;
}

function floorOf(histograms: readonly Uint16Array[]): Uint8Array {
	const floor = new Uint8Array(MEL_BANDS);
	for (let band = 0; band < MEL_BANDS; band++) {
		const counts = new Uint32Array(256);
		for (const histogram of histograms) {
			for (let value = 0; value < 256; value++) counts[value] += histogram[band * 256 + value];
		}
		const total = counts.reduce((sum, count) => sum + count, 0);
		let [value, seen] = [0, counts[0]];
		while (value < 255 && seen < FLOOR_SHARE * total) seen += counts[++value];
		floor[band] = value;
	}
	return floor;
}
