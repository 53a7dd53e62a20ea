import type { TimeRange } from '../../shared/timeRanges.mts';
import type { SignalFeatures } from './features.mts';
import { MEL_BANDS } from './melSpectrum.mts';
import { energyDb, HOPS_PER_SECOND, quantile, smoothed } from '../signal/levels.mts';

/** Nobody hears anything below this, the standard's gate of loudness, LUFS. */
const FAINTEST_DB = -70;

/** What is heard stands out from its floor by this much, dB. The floor is what a tenth of the sound stays below. */
export const STANDS_OUT_DB = 10;
export const FLOOR_SHARE = 0.1;

/** Digital silence between two sounds is no floor, dB. */
const SILENCE_DB = -90;

/** It does so for this long in all: one click does not. */
const MIN_HEARD_HOPS = 0.5 * HOPS_PER_SECOND;

/** A shorter recording is too short to have a floor. */
const MIN_HOPS = 3 * HOPS_PER_SECOND;

/**
 * Levels are averaged over this on each side, hops: noise varies by a few dB only, then. In a band there is
 * less of it, but the notes of birds are short.
 */
const LEVEL_REACH_HOPS = 20;
const BAND_REACH_HOPS = 5;

/** Bands from here on, 1.2 kHz, are so wide that noise in them varies little within 25 ms. */
const WIDE_BANDS = 8;

/** Drops of rain and the crackle of fire are short: this share of the time has one. */
const MIN_DROPS_SHARE = 0.01;

/**
 * A held tone repeats itself this well, of 255, for half of the time, keeps its pitch, and is no overtone of
 * the mains. A band of noise repeats itself, too, but at changing times.
 */
const MIN_VOICING = 200;
const MAINS_HZ = [50, 60] as const;
const PITCH_TOLERANCE = 0.03;

/** What is asked of a recording only if nothing stands out in its level. */
export interface CloserLook {
	features: () => Promise<SignalFeatures>;
	findMusic: () => Promise<TimeRange[]>;
}

/**
 * Returns whether there is more in a recording than silence and steady noise: whether anything stands out
 * from its floor, in level or in one band, or whether there is music or a tone.
 *
 * @param energies mean squares of 10 ms, weighted as ITU-R BS.1770 has it.
 */
export async function isAnythingHeard(
	energies: Float32Array,
	{ features, findMusic }: CloserLook,
): Promise<boolean> {
	const levels = smoothed(energies.map(energyDb), LEVEL_REACH_HOPS);
	if (!levels.some((level) => level > FAINTEST_DB)) return false;
	if (levels.length < MIN_HOPS || standsOut(levels)) return true;
	const found = await features();
	if (isTone(found)) return true;
	for (let band = 0; band < MEL_BANDS; band++) {
		const own = bandLevels(found, band);
		if (band < WIDE_BANDS) {
			if (standsOut(smoothed(own, LEVEL_REACH_HOPS))) return true;
		} else if (hasDrops(own) || standsOut(smoothed(own, BAND_REACH_HOPS))) return true;
	}
	return (await findMusic()).length > 0;
}

/** Whether levels are far above their floor for long enough. */
function standsOut(levels: Float32Array): boolean {
	return aboveFloor(levels) >= MIN_HEARD_HOPS;
}

/** How many hops are far above the floor. */
function aboveFloor(levels: Float32Array): number {
	const floorDb = quantile(
		levels.filter((level) => level > SILENCE_DB),
		FLOOR_SHARE,
	);
	return levels.filter((level) => level >= floorDb + STANDS_OUT_DB).length;
}

/** The level of a band in each hop, dBFS. */
function bandLevels({ mel, hops }: SignalFeatures, band: number): Float32Array {
	return Float32Array.from({ length: hops }, (_, hop) => mel[hop * MEL_BANDS + band] / 2 - 120);
}

function hasDrops(levels: Float32Array): boolean {
	return aboveFloor(levels) >= MIN_DROPS_SHARE * levels.length;
}

function isTone({ voicing, pitchHz }: SignalFeatures): boolean {
	const [low, hz, high] = [0.1, 0.5, 0.9].map((share) => quantile(pitchHz, share));
	const isMains = MAINS_HZ.some((mains) => {
		const overtone = Math.max(1, Math.round(hz / mains));
		return Math.abs(hz / mains - overtone) <= PITCH_TOLERANCE * overtone;
	});
	const isHeld = high - low <= 2 * PITCH_TOLERANCE * hz;
	return isHeld && !isMains && quantile(voicing, 0.5) >= MIN_VOICING;
}
