import { gainDbAt, peaking } from '../signal/biquad.mts';
import { energyDb, factorOf } from '../signal/levels.mts';
import { BANDS_HZ } from './voiceSpectrum.mts';

/** A curve over the bands, dB. */
export type Curve = readonly number[];

/** What may have happened to a voice. */
interface Tone {
	readonly curve: Curve;
	/** How often this happens, against nothing at all, as a natural logarithm. */
	readonly odds: number;
}

/** A kind of fault, in several places and sizes, and how often it happens. */
interface Kind {
	readonly odds: number;
	readonly curves: readonly Curve[];
}

/** The curves do not depend on a sample rate; this one is above the highest band. */
const RATE_HZ = 48_000;

/** What a microphone, its place or a room adds to a voice most often. */
const BOOMY: Kind = {
	odds: 1,
	curves: [
		...curvesOf([80, 120, 170, 240], [6, 9, 12], risenBelow),
		...curvesOf([120, 180, 260], [6, 9, 12], steeplyRisenBelow),
	],
};
const BOXY: Kind = {
	odds: 1,
	curves: [0.9, 1.8].flatMap((q) => {
		return curvesOf([280, 340, 410, 500, 600, 730], [5, 8, 11], (hz, db) => bell(hz, q, db));
	}),
};
const DULL: Kind = {
	odds: 1,
	curves: [
		...curvesOf([900, 1_300, 1_900, 2_700], [-7, -10, -13], risenAbove),
		...curvesOf([1_800, 2_600, 3_600], [-7, -10, -13], steeplyRisenAbove),
	],
};

/** Seldom does it take away lows or add highs. */
const THIN: Kind = { odds: -3.5, curves: curvesOf([150, 250], [-4, -8], risenBelow) };
const BRIGHT: Kind = { odds: -3.5, curves: curvesOf([2_000, 3_500], [4, 8], risenAbove) };

const KINDS: readonly Kind[] = [BOOMY, BOXY, DULL, THIN, BRIGHT];

/** Which two may come together, and how often, against what would be by chance. */
const PAIRS: readonly (readonly [Kind, Kind])[] = [
	[BOOMY, BOXY],
	[BOOMY, DULL],
	[BOOMY, BRIGHT],
	[BOXY, DULL],
	[BOXY, THIN],
	[BOXY, BRIGHT],
	[DULL, THIN],
	[THIN, BRIGHT],
];
const ODDS_OF_PAIRS = -4;

/** All that may have happened, nothing first. A kind is as likely with many curves as with few. */
export const TONES: readonly Tone[] = [
	{ curve: BANDS_HZ.map(() => 0), odds: 0 },
	...KINDS.flatMap(tonesOf),
	...PAIRS.flatMap(([first, second]) =>
		tonesOf(first).flatMap((one) =>
			tonesOf(second).map((other) => ({
				curve: one.curve.map((db, band) => db + other.curve[band]),
				odds: one.odds + other.odds + ODDS_OF_PAIRS,
			})),
		),
	),
];

function tonesOf({ odds, curves }: Kind): Tone[] {
	return curves.map((curve) => ({ curve, odds: odds - Math.log(curves.length) }));
}

function curvesOf(
	frequenciesHz: readonly number[],
	levelsDb: readonly number[],
	curveOf: (hz: number, db: number) => Curve,
): Curve[] {
	return frequenciesHz.flatMap((hz) => levelsDb.map((db) => curveOf(hz, db)));
}

/** As close to a microphone: from a frequency down, a rise by 6 dB an octave at most, up to a level. */
function risenBelow(hz: number, db: number): Curve {
	const more = factorOf(db) - 1;
	return BANDS_HZ.map((at) => {
		const low = more / (1 + (at / hz) ** 2);
		return energyDb((1 + low) ** 2 + (low * (at / hz)) ** 2);
	});
}

/** As beside a microphone or behind a cloth: the same from a frequency up, most often a fall. */
function risenAbove(hz: number, db: number): Curve {
	return risenBelow(hz, -db).map((level) => level + db);
}

/** The same, but faster. */
function steeplyRisenBelow(hz: number, db: number): Curve {
	return BANDS_HZ.map((at) => db / (1 + (at / hz) ** 2));
}

function steeplyRisenAbove(hz: number, db: number): Curve {
	return steeplyRisenBelow(hz, -db).map((level) => level + db);
}

/** As in a small room or a cupboard: more around a frequency. */
function bell(hz: number, q: number, db: number): Curve {
	const filter = peaking(hz, q, db, RATE_HZ);
	return BANDS_HZ.map((at) => gainDbAt(filter, at, RATE_HZ));
}
