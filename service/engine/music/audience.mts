import type { TimeRange } from '../../shared/timeRanges.mts';
import { energyDb } from '../signal/levels.mts';
import { type HeardMusic, STEP_SECONDS } from './heardMusic.mts';
import { joined } from './joined.mts';
import { runsWhere } from './musicSections.mts';

/** What is known of the noise and the speech at each step, as mean squares. */
export interface Levels {
	noise: Float32Array;
	speech: Float32Array;
}

/**
 * As logits: applause is unmistakable. A single voice's laughter is not, and least towards its end. Lower thresholds
 * would keep more of a crowd's talk.
 */
const APPLAUSE = -4.6;
const [LAUGHTER_BEGINS, LAUGHTER_LASTS] = [-6, -8];

/**
 * Keys that are hit fast sound a little like laughter. What is taken away then comes in strokes: it is this much louder
 * on the whole than for half of the time, dB. Laughter in strokes must be likelier than typing by so much, as logits.
 */
const STROKES_DB = 14;
const MIN_ABOVE_TYPING = 6;

/** Only what is this far above the noise can be told from it, dB. */
const MIN_ABOVE_NOISE_DB = 6;

/**
 * What is taken away for so many steps is no noise if it is this far above the noise of the seconds around it, and at
 * most this far below the speech, dB: a burst of noise is shorter, and noise that stays has no other to compare with.
 */
const MIN_STEPS = 6;
const ABOVE_NOISE_DB = 9;
const BELOW_SPEECH_DB = 12;

/** Between two laughs, s. */
const MAX_GAP_SECONDS = 0.5;

/** How much may be taken away at each step before it is listened to anyway, as a mean square. */
export function usualIn({ noise }: Levels): Float32Array {
	return noise.map((level) => level * 10 ** (MIN_ABOVE_NOISE_DB / 10));
}

/** Where people clap or laugh, in order: a network that keeps speech only takes most of it for noise. */
export function audienceIn(heard: HeardMusic, levels: Levels): TimeRange[] {
	const { taken } = heard;
	const above = taken.map((energy, step) => energyDb(energy) - energyDb(levels.noise[step]));
	const likelyAbove = (logits: Float32Array) => {
		return logits.map((logit, step) => (above[step] >= MIN_ABOVE_NOISE_DB ? logit : -Infinity));
	};
	const laughter = heard.laughter.map((logit, step) => {
		const isInStrokes = energyDb(taken[step]) - energyDb(heard.steadilyTaken[step]) > STROKES_DB;
		const least = heard.typing[step] + (isInStrokes ? MIN_ABOVE_TYPING : 0);
		return logit > least ? logit : -Infinity;
	});
	const lasting = heard.steadilyTaken.map((energy, step) => {
		const db = energyDb(energy);
		const aboveDb = db - energyDb(levels.noise[step]);
		const belowDb = energyDb(levels.speech[step]) - db;
		return Math.min(aboveDb - ABOVE_NOISE_DB, BELOW_SPEECH_DB - belowDb);
	});
	const isLong = ({ startSeconds, endSeconds }: TimeRange) => {
		return endSeconds - startSeconds > (MIN_STEPS - 0.5) * STEP_SECONDS;
	};
	return joined(
		[
			...runsWhere(likelyAbove(heard.applause), APPLAUSE, APPLAUSE),
			...runsWhere(likelyAbove(laughter), LAUGHTER_BEGINS, LAUGHTER_LASTS),
			...runsWhere(lasting, 0, 0).filter(isLong),
		],
		MAX_GAP_SECONDS,
	);
}
