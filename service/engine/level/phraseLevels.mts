import { runsOf } from '../detection/scene.mts';
import { HOPS_PER_SECOND, meanDb, speechLevelDb } from '../signal/levels.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';

/** What is said between two pauses, in hops of a profile. */
export interface Phrase extends IndexRange {
	/** How loud it is, dB. */
	levelDb: number;
	/** How long it is without its soft sounds. */
	speechSeconds: number;
}

/** A sound stands out from the noise by this much, and is no more than this below speech, dB. */
const SOUND_MARGIN_DB = 6;
const SOUND_DEPTH_DB = 50;

/** A phrase is no more than this below speech, dB: what is softer is a breath or the room. */
const PHRASE_DEPTH_DB = 34;

/** A pause is longer than any stop within a word, and soft beginnings and endings reach into it, hops. */
const MIN_PAUSE_HOPS = 20;
const SOFT_HOPS = 5;

/** The phrases of a recording, without those in music. */
export function phrasesOf(
	levels: Float32Array,
	floor: Float32Array,
	isMusic: Uint8Array,
	speechDb: number,
): Phrase[] {
	const isSound = Uint8Array.from(levels, (level, hop) =>
		Number(
			!isMusic[hop] && level > Math.max(floor[hop] + SOUND_MARGIN_DB, speechDb - SOUND_DEPTH_DB),
		),
	);
	return runsOf(isSound, MIN_PAUSE_HOPS - 1)
		.map((said) => ({
			...phraseIn(levels, said),
			start: Math.max(0, said.start - SOFT_HOPS),
			end: Math.min(levels.length, said.end + SOFT_HOPS),
		}))
		.filter(({ levelDb }) => levelDb > speechDb - PHRASE_DEPTH_DB);
}

/** A phrase that is said in a range. */
export function phraseIn(levels: Float32Array, { start, end }: IndexRange): Phrase {
	const said = levels.subarray(start, end);
	const gateDb = meanDb(said) - 10;
	return {
		start,
		end,
		levelDb: speechLevelDb(said),
		speechSeconds: said.filter((level) => level > gateDb).length / HOPS_PER_SECOND,
	};
}
