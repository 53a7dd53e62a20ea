import { runsOf } from '../detection/scene.mts';
import { energyDb, HOPS_PER_SECOND, meanDb, quantile, speechLevelDb } from '../signal/levels.mts';
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

/**
 * Where speakers take turns without a pause, the level of a second before and after changes by this much, dB, and stays
 * so for this long, hops. The border is the softest hop this near.
 */
const STEP_DB = 9;
const STEP_REACH_HOPS = 100;
const MIN_STEP_HOPS = 60;
const BORDER_REACH_HOPS = 30;

/** What goes on for longer without a pause, a minute, is divided before steps are sought: each is sought in all of it. */
const MAX_TOGETHER_HOPS = 60 * HOPS_PER_SECOND;

/** The loud and the soft parts of syllables are this far apart, dB; those of room tone or hum are not. */
const MIN_SYLLABLES_DB = 6;

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
	const energyBefore = sumsBefore(levels.map((level) => 10 ** (level / 10)));
	return runsOf(isSound, MIN_PAUSE_HOPS - 1)
		.flatMap((said) => {
			const parts = dividedAtSteps(levels, energyBefore, said);
			return parts.map((part, at) => ({
				...phraseIn(levels, part),
				start: at > 0 ? part.start : Math.max(0, part.start - SOFT_HOPS),
				end: at + 1 < parts.length ? part.end : Math.min(levels.length, part.end + SOFT_HOPS),
			}));
		})
		.filter(({ levelDb }) => levelDb > speechDb - PHRASE_DEPTH_DB);
}

/**
 * The parts of what is said without a pause, each about as loud: a quiet guest may begin right after the host.
 *
 * @param energyBefore the sum of all hops before each.
 */
function dividedAtSteps(
	levels: Float32Array,
	energyBefore: Float64Array,
	said: IndexRange,
): IndexRange[] {
	const { start, end } = said;
	const latest = start + MAX_TOGETHER_HOPS;
	const border =
		end > latest
			? softestHop(levels, { start: latest - MAX_TOGETHER_HOPS / 2, end: latest })
			: borderIn(levels, energyBefore, said);
	if (border === undefined) return [said];
	return [
		...dividedAtSteps(levels, energyBefore, { start, end: border }),
		...dividedAtSteps(levels, energyBefore, { start: border, end }),
	];
}

/** Where the level changes most, if that is somebody else; the room that follows or precedes a word is nobody. */
function borderIn(
	levels: Float32Array,
	energyBefore: Float64Array,
	said: IndexRange,
): number | undefined {
	const energyIn = ({ start, end }: IndexRange) =>
		(energyBefore[end] - energyBefore[start]) / (end - start);
	const besides = (hop: number) => [
		{ start: Math.max(said.start, hop - STEP_REACH_HOPS), end: hop },
		{ start: hop, end: Math.min(said.end, hop + STEP_REACH_HOPS) },
	];
	const first = said.start + MIN_STEP_HOPS;
	const steps = Array.from({ length: said.end - MIN_STEP_HOPS - first + 1 }, (_, at) => {
		const [before, after] = besides(first + at).map((side) => energyDb(energyIn(side)));
		return Math.abs(after - before);
	});
	for (;;) {
		const highest = steps.reduce((best, db, at) => (db > steps[best] ? at : best), 0);
		if (!(steps[highest] >= STEP_DB)) return undefined;
		const hop = first + highest;
		if (!besides(hop).some((side) => isSteady(levels, side))) {
			return softestHop(levels, { start: hop - BORDER_REACH_HOPS, end: hop + BORDER_REACH_HOPS });
		}
		steps.fill(0, Math.max(0, highest - STEP_REACH_HOPS), highest + STEP_REACH_HOPS);
	}
}

/** Whether the level hardly changes: the room, not syllables. */
function isSteady(levels: Float32Array, { start, end }: IndexRange): boolean {
	const heard = levels.subarray(start, end);
	return quantile(heard, 0.9) - quantile(heard, 0.1) < MIN_SYLLABLES_DB;
}

/** The sums of all values before each place, and of all. */
function sumsBefore(values: Float32Array): Float64Array {
	const sums = new Float64Array(values.length + 1);
	for (const [place, value] of values.entries()) sums[place + 1] = sums[place] + value;
	return sums;
}

/** The softest hop of a range. */
export function softestHop(levels: Float32Array, { start, end }: IndexRange): number {
	let softest = start;
	for (let hop = start; hop < end; hop++) if (levels[hop] < levels[softest]) softest = hop;
	return softest;
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
