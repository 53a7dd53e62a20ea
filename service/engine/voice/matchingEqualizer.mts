import { gainDbAt, peaking, type Biquad } from '../signal/biquad.mts';
import { BANDS_HZ, type VoiceSpectrum } from './voiceSpectrum.mts';

/**
 * The long-term average speech spectrum over languages and voices, by Byrne et al., J. Acoust. Soc.
 * Am. 96 (1994), in dB. Only relative levels count.
 */
const SPEECH_DB: readonly number[] = [
	54.4, 57.7, 56.8, 60.2, 60.3, 59, 62.1, 62.1, 60.5, 56.8, 53.7, 53, 52, 48.7, 48.1, 46.8, 45.6,
	44.5, 44.3, 43.7, 43.4,
];

/** Center frequencies of the filters, an octave apart, and their width. */
const MIDDLES_HZ: readonly number[] = [125, 250, 500, 1_000, 2_000, 4_000, 8_000];
const Q = 1.41;

/** A band this far below the target holds no speech and is not raised, dB. */
const EMPTY_BAND_DEPTH_DB = 24;

/** Rounds of fitting, because each filter also changes its neighbors' bands. */
const ROUNDS = 6;

/** The middle of the voice: levels are compared relative to these bands. */
const REFERENCE_HZ = [250, 4_000];

/**
 * Returns octave-wide filters that move a voice toward the spectrum of average speech. Bands
 * without speech (telephone, low sample rates) are left alone, not filled with noise.
 *
 * @param maxDb maximum change at any frequency.
 * @param share how far to go: 1 is all the way.
 */
export function matchingEqualizer(
	{ bandsDb }: VoiceSpectrum,
	sampleRateHz: number,
	maxDb: number,
	share: number,
): Biquad[] {
	const wished = MIDDLES_HZ.map((hz) => share * wishedDb(bandsDb, hz));
	const limited = wished.map((db) => Math.min(maxDb, Math.max(-maxDb, db)));
	const middles = MIDDLES_HZ.filter((hz) => hz * Math.SQRT2 < sampleRateHz / 2);
	const gains = middles.map((_, index) => limited[index]);
	const filters = () => middles.map((hz, index) => peaking(hz, Q, gains[index], sampleRateHz));
	for (let round = 0; round < ROUNDS; round++) {
		const reached = middles.map((hz) => sumDb(filters(), hz, sampleRateHz));
		gains.forEach((gain, index) => {
			gains[index] = gain + 0.7 * (limited[index] - reached[index]);
		});
	}
	return filters();
}

/** The gain of a chain of filters at a frequency, in dB. */
export function sumDb(filters: readonly Biquad[], hz: number, sampleRateHz: number): number {
	return filters.reduce((sum, filter) => sum + gainDbAt(filter, hz, sampleRateHz), 0);
}

/** How far the octave around a frequency is below the target, relative to the voice, in dB. */
function wishedDb(bandsDb: readonly number[], middleHz: number): number {
	const isReference = (hz: number) => hz >= REFERENCE_HZ[0] && hz <= REFERENCE_HZ[1];
	const level = energySumDb(bandsDb, isReference) - energySumDb(SPEECH_DB, isReference);
	const isInOctave = (hz: number) => hz > middleHz / 1.5 && hz < middleHz * 1.5;
	const short = energySumDb(SPEECH_DB, isInOctave) + level - energySumDb(bandsDb, isInOctave);
	return short > EMPTY_BAND_DEPTH_DB ? 0 : short;
}

function energySumDb(levelsDb: readonly number[], isWanted: (hz: number) => boolean): number {
	const energies = levelsDb
		.filter((_, band) => isWanted(BANDS_HZ[band]))
		.map((db) => 10 ** (db / 10));
	return 10 * Math.log10(energies.reduce((sum, energy) => sum + energy, 0) + 1e-12);
}
