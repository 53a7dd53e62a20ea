import { gainDbAt, highShelf, lowShelf, peaking, type Biquad } from '../signal/biquad.mts';
import { toneFaults } from './toneFaults.mts';
import { BANDS_HZ, type VoiceSpectrum } from './voiceSpectrum.mts';

/** Center frequencies of the filters, an octave apart, and their width. */
const MIDDLES_HZ: readonly number[] = [125, 250, 500, 1_000, 2_000, 4_000, 8_000];
const Q = 1.41;

/** Maximum change at any of them, dB. */
const MAX_DB = 12;

/** From here on, nothing is lowered beside the vowels: some voices are bright, and sharp ones are for the de-esser. */
const HIGH_HZ = 4_000;
const isVowel = (hz: number) => hz >= 500 && hz <= 2_000;

/** Rounds of fitting, because each filter also changes its neighbors' bands. */
const ROUNDS = 12;

/** Returns octave-wide filters that take away what the recording has added to a voice. */
export function matchingEqualizer({ bandsDb }: VoiceSpectrum, sampleRateHz: number): Biquad[] {
	const added = toneFaults(bandsDb);
	const middles = MIDDLES_HZ.filter((hz) => hz * Math.SQRT2 < sampleRateHz / 2);
	const asked = middles.map((hz) => {
		return Math.min(MAX_DB, Math.max(-MAX_DB, -added[BANDS_HZ.indexOf(hz)]));
	});
	const voice = asked.filter((_, index) => isVowel(middles[index]));
	const least = voice.reduce((sum, db) => sum + db, 0) / voice.length;
	const wished = asked.map((db, index) => {
		return middles[index] >= HIGH_HZ ? Math.max(least, db) : db;
	});
	const gains = [...wished];
	const filters = () => gains.map((gain, index) => filterAt(index, gain, middles, sampleRateHz));
	for (let round = 0; round < ROUNDS; round++) {
		const reached = middles.map((hz) => sumDb(filters(), hz, sampleRateHz));
		gains.forEach((gain, index) => {
			gains[index] = gain + 0.7 * (wished[index] - reached[index]);
		});
	}
	return filters();
}

/** The gain of a chain of filters at a frequency, in dB. */
export function sumDb(filters: readonly Biquad[], hz: number, sampleRateHz: number): number {
	return filters.reduce((sum, filter) => sum + gainDbAt(filter, hz, sampleRateHz), 0);
}

/** The first and the last also change what is below and above. */
function filterAt(index: number, gainDb: number, middlesHz: readonly number[], rateHz: number) {
	const hz = middlesHz[index];
	if (index === 0) return lowShelf(hz * Math.SQRT2, gainDb, rateHz);
	if (index === middlesHz.length - 1) return highShelf(hz / Math.SQRT2, gainDb, rateHz);
	return peaking(hz, Q, gainDb, rateHz);
}
