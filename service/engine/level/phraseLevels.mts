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
const PHRASE_DEPTH_DB = 26;

/** A pause is longer than any stop within a word, and soft beginnings and endings reach into it, hops. */
const MIN_PAUSE_HOPS = 20;
const SOFT_HOPS = 5;

/** A phrase costs no more for being farther from the level of its speaker, dB: it may be a shout. */
const MAX_DISTANCE_DB = 12;

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
		.map(({ start, end }) => {
			const said = levels.subarray(start, end);
			const gateDb = meanDb(said) - 10;
			return {
				start: Math.max(0, start - SOFT_HOPS),
				end: Math.min(levels.length, end + SOFT_HOPS),
				levelDb: speechLevelDb(said),
				speechSeconds: said.filter((level) => level > gateDb).length / HOPS_PER_SECOND,
			};
		})
		.filter(({ levelDb }) => levelDb > speechDb - PHRASE_DEPTH_DB);
}

/**
 * Returns the level of the speaker of each phrase, dB. Of all sequences of candidates, this is the one
 * nearest to the phrases. Each change from one candidate to another has a cost.
 *
 * @param changeCost in dB times seconds of speech.
 */
export function steadyLevels(
	phrases: readonly Phrase[],
	candidates: readonly number[],
	changeCost: number,
): number[] {
	let costs = candidates.map(() => 0);
	const cameFrom: number[][] = [];
	for (const { levelDb, speechSeconds } of phrases) {
		const cheapest = costs.indexOf(Math.min(...costs));
		const before = costs.map((cost, index) =>
			cost > costs[cheapest] + changeCost ? cheapest : index,
		);
		costs = before.map((from, index) => {
			const change = from === index ? 0 : changeCost;
			const distance = Math.min(Math.abs(levelDb - candidates[index]), MAX_DISTANCE_DB);
			return costs[from] + change + distance * speechSeconds;
		});
		cameFrom.push(before);
	}
	let index = costs.indexOf(Math.min(...costs));
	return cameFrom
		.toReversed()
		.map((before) => {
			const level = candidates[index];
			index = before[index];
			return level;
		})
		.toReversed();
}
