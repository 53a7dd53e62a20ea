import { gainDbAt, highShelf, lowShelf, peaking, type Biquad } from '../signal/biquad.mts';
import { choleskyOf, solvedWith } from '../signal/cholesky.mts';
import TYPICAL from './typicalTones.json' with { type: 'json' };
import { BANDS_HZ } from './voiceSpectrum.mts';

/** A curve of levels over the bands, dB, and of how many faults it consists. */
interface Tone {
	readonly curve: readonly number[];
	readonly faults: number;
}

/** The curves do not depend on a sample rate; this one is above the highest band. */
const RATE_HZ = 48_000;

/** What a microphone, its place or a room adds to a voice: a shelf below, a bell and a shelf above. Hz, dB. */
const LOWS = tonesOf([160, 250], [-6, 4, 8, 12], (hz, db) => lowShelf(hz, db, RATE_HZ));
const MIDDLES = tonesOf([250, 350, 500, 700, 1_000], [-6, 4, 8, 12], (hz, db) => {
	return peaking(hz, 1, db, RATE_HZ);
});
const HIGHS = tonesOf([2_000, 3_500], [-14, -10, -6, -3, 4, 8], (hz, db) => {
	return highShelf(hz, db, RATE_HZ);
});

/** All combinations. */
const TONES: readonly Tone[] = LOWS.flatMap((low) =>
	MIDDLES.flatMap((middle) =>
		HIGHS.map((high) => ({
			curve: low.curve.map((db, band) => db + middle.curve[band] + high.curve[band]),
			faults: low.faults + middle.faults + high.faults,
		})),
	),
);

/** Most recordings are good: with each fault, a tone is less likely by e to this power. */
const RARITY = 2;

/** Other voices differ more than the few that are known, in power. */
const VARIETY = 2;

/** Of what bands of the known voices have in common, this share is by chance; and each varies on its own, dB squared. */
const BY_CHANCE = 0.5;
const OWN_VARIANCE = 2;

/** How loud somebody is says nothing about the tone, dB squared. */
const ANY_LEVEL = 1e4;

/** A band this far below that of a typical voice holds no speech, as on a telephone, dB. */
const EMPTY_DB = 30;

/**
 * The mean of the known voices in each band, and how much they differ from it. The file holds the levels of 19
 * recordings, dB against their mean: prompts of Asterisk and KTuberling whose speakers tune, and of Tux Paint and
 * KLettres, which no evaluation uses.
 */
const USUAL_DB = TYPICAL[0].map((_, band) => mean(TYPICAL.map((voice) => voice[band])));
const COVARIANCE = USUAL_DB.map((_, row) =>
	USUAL_DB.map((__, column) => {
		const product = mean(
			TYPICAL.map((voice) => (voice[row] - USUAL_DB[row]) * (voice[column] - USUAL_DB[column])),
		);
		const known = row === column ? product + OWN_VARIANCE : (1 - BY_CHANCE) * product;
		return known * VARIETY + ANY_LEVEL;
	}),
);

/** The middle of a voice: what is added is 0 there on average. */
const MIDDLE_HZ = [250, 4_000] as const;

/**
 * Returns what a recording has probably added to the voice in each band, dB: the mean of all tones, weighed by how
 * likely they are. A tone is likely if without it the voice is such as those that are known, and if it consists of few
 * faults. Nothing is missing in bands without speech (telephone, low sample rates): they hold noise.
 *
 * @param bandsDb the levels of the voice.
 */
export function toneFaults(bandsDb: readonly number[]): number[] {
	const differences = USUAL_DB.map((db, band) => Math.max(-200, bandsDb[band]) - db);
	const highest = Math.max(...differences);
	const spoken = [...USUAL_DB.keys()].filter((band) => differences[band] > highest - EMPTY_DB);
	const factor = choleskyOf(spoken.map((row) => spoken.map((column) => COVARIANCE[row][column])));
	const scores = TONES.map(({ curve, faults }) => {
		const rest = spoken.map((band) => differences[band] - curve[band]);
		const distance = solvedWith(factor, rest).reduce((sum, value) => sum + value ** 2, 0);
		return -distance / 2 - RARITY * faults;
	});
	const best = Math.max(...scores);
	const shares = scores.map((score) => Math.exp(score - best));
	const whole = shares.reduce((sum, share) => sum + share, 0);
	const added = BANDS_HZ.map((_, band) => {
		return TONES.reduce((sum, { curve }, index) => sum + shares[index] * curve[band], 0) / whole;
	});
	const isMiddle = (_: number, band: number) => {
		return BANDS_HZ[band] >= MIDDLE_HZ[0] && BANDS_HZ[band] <= MIDDLE_HZ[1];
	};
	const level = mean(added.filter(isMiddle));
	const isHigh = (band: number) => band >= USUAL_DB.length && spoken.includes(USUAL_DB.length - 1);
	return added.map((db, band) => {
		return spoken.includes(band) || isHigh(band) ? db - level : Math.max(0, db - level);
	});
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** No fault, and each of these. */
function tonesOf(
	frequenciesHz: readonly number[],
	levelsDb: readonly number[],
	filterOf: (hz: number, db: number) => Biquad,
): Tone[] {
	const faults = frequenciesHz.flatMap((hz) =>
		levelsDb.map((db) => {
			const filter = filterOf(hz, db);
			return { curve: BANDS_HZ.map((at) => gainDbAt(filter, at, RATE_HZ)), faults: 1 };
		}),
	);
	return [{ curve: BANDS_HZ.map(() => 0), faults: 0 }, ...faults];
}
