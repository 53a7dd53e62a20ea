import { choleskyOf, solvedWith } from '../signal/cholesky.mts';
import { mean } from '../signal/levels.mts';
import { type Curve, TONES } from './tones.mts';
import TYPICAL from './typicalTones.json' with { type: 'json' };
import { BANDS_HZ } from './voiceSpectrum.mts';

/** Of what bands of the known voices have in common, this share is by chance; and each varies on its own, dB squared. */
const BY_CHANCE = 0.5;
const OWN_VARIANCE = 2;

/** How loud somebody is says nothing about the tone, dB squared. */
const ANY_LEVEL = 1e4;

/** A band this far below that of a typical voice holds no speech, as on a telephone, dB. */
const EMPTY_DB = 30;

/**
 * The mean of many people in twelve languages, with one good microphone (Byrne et al. 1994), dB. The known voices are
 * prompts, which often have less bass and more highs; usual is what lies between.
 */
const BYRNE_DB: Curve = [
	54.4, 57.7, 56.8, 60.2, 60.3, 59, 62.1, 62.1, 60.5, 56.8, 53.7, 53, 52, 48.7, 48.1, 46.8, 45.6,
	44.5, 44.3, 43.7,
];

/** The middle of a voice: what is added is 0 there on average. */
const MIDDLE_HZ = [250, 4_000] as const;

/** What is usual, and what voices have in common. */
interface Known {
	/** In each band, dB. */
	readonly usualDb: Curve;
	/** How much voices differ from it, dB squared. */
	readonly covariance: readonly Curve[];
}

const KNOWN = knownFrom(TYPICAL);

/** Describes voices, each by its levels in the bands, dB against their mean. */
export function knownFrom(voices: readonly Curve[]): Known {
	const byrne = mean(BYRNE_DB);
	const usualDb = BYRNE_DB.map((db, band) => {
		return (db - byrne + mean(voices.map((voice) => voice[band]))) / 2;
	});
	const covariance = usualDb.map((_, row) =>
		usualDb.map((__, column) => {
			const product = mean(
				voices.map((voice) => (voice[row] - usualDb[row]) * (voice[column] - usualDb[column])),
			);
			const known = row === column ? product + OWN_VARIANCE : (1 - BY_CHANCE) * product;
			return known + ANY_LEVEL;
		}),
	);
	return { usualDb, covariance };
}

/**
 * Returns what a recording has probably added to the voice in each band, dB: the mean of all tones, weighed by how
 * likely they are. A tone is likely if without it the voice is such as those that are known, and if it happens often.
 * Nothing is missing in bands without speech (telephone, low sample rates): they hold noise.
 *
 * @param bandsDb the levels of the voice.
 * @param known other voices: those of typicalTones.json, which `npm run eval -w service -- tones --write` measures.
 */
export function toneFaults(
	bandsDb: readonly number[],
	{ usualDb, covariance }: Known = KNOWN,
): number[] {
	const differences = usualDb.map((db, band) => Math.max(-200, bandsDb[band]) - db);
	const highest = Math.max(...differences);
	const spoken = [...usualDb.keys()].filter((band) => differences[band] > highest - EMPTY_DB);
	const factor = choleskyOf(spoken.map((row) => spoken.map((column) => covariance[row][column])));
	const scores = TONES.map(({ curve, odds }) => {
		const rest = spoken.map((band) => differences[band] - curve[band]);
		const distance = solvedWith(factor, rest).reduce((sum, value) => sum + value ** 2, 0);
		return odds - distance / 2;
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
	const isHigh = (band: number) => band >= usualDb.length && spoken.includes(usualDb.length - 1);
	return added.map((db, band) => {
		return spoken.includes(band) || isHigh(band) ? db - level : Math.max(0, db - level);
	});
}
