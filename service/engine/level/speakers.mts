import { alike, centerOf, nearestVoice, voicesAmong } from '../voice/voices.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import type { HeardPhrase, Moment } from './heardPhrases.mts';
import { likeliestSpeakers, type Part } from './likeliestSpeakers.mts';
import { phraseIn, softestHop, type Phrase } from './phraseLevels.mts';

/** Moments that count this much show whether there are several voices. */
const MIN_WEIGHT = 0.7;

/** Fewer moments are no speaker. */
const MIN_MOMENTS = 4;

/** A speaker's level is the mean of phrases no farther than this from the middle one, dB. */
const NEAR_DB = 6;

const ROUNDS = 3;

/** Two people whose voices are nearly alike are told apart where their levels are this far apart, dB. */
const MIN_APART_DB = 6;
const MAX_ALIKE = 0.92;
const MIN_NEARER_SHARE = 0.85;

/** A moment is clearly of one speaker if it is more like that voice than like others by this. */
const CLEAR_LIKENESS = 0.08;

/** Who says each phrase, and how loud each of them is. */
export interface Speakers {
	/** All that is said; each phrase is of one speaker. */
	readonly phrases: readonly Phrase[];
	/** The speaker of each phrase. */
	readonly of: readonly number[];
	/** What describes the voice of each speaker. */
	readonly voices: readonly Float32Array[];
	/** The level of each speaker, dB. */
	readonly levelsDb: readonly number[];
	/** For how long each speaks, seconds. */
	readonly seconds: readonly number[];
}

/**
 * Finds out who speaks, by voice and level together; null if it is one person.
 *
 * @param levels of all hops, dB: where speakers take turns without a pause, a phrase is divided where it is softest.
 */
export function speakersOf(phrases: readonly HeardPhrase[], levels: Float32Array): Speakers | null {
	let voices = voicesIn(phrases);
	if (voices.length < 2) return null;
	const parts = phrases.flatMap((phrase) => dividedBy(phrase, voices, levels));
	let levelsDb: (number | undefined)[] = voices.map(() => undefined);
	let of: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		of = likeliestSpeakers(parts, voices, levelsDb);
		const groups = voices.map((_, speaker) => parts.filter((__, at) => of[at] === speaker));
		levelsDb = groups.map(levelOf);
		voices = voices.map((voice, speaker) => {
			const own = clearMoments(groups[speaker]);
			return own.length > 0 ? centerOf(own.map((one) => one.voice)) : voice;
		});
	}
	const seconds = voices.map((_, speaker) =>
		parts.reduce((sum, one, at) => sum + (of[at] === speaker ? one.speechSeconds : 0), 0),
	);
	return {
		phrases: parts,
		of,
		voices,
		levelsDb: levelsDb.map((level) => level ?? -Infinity),
		seconds,
	};
}

/** The voices of those who speak, first by voice alone; then those who are alike are told apart by level. */
function voicesIn(phrases: readonly HeardPhrase[]): Float32Array[] {
	const clear = clearMoments(phrases).map(({ voice }) => voice);
	const byVoice = voicesAmong(clear, MIN_MOMENTS);
	const nearest = phrases.map((phrase) => {
		const moments = clearMoments([phrase]).map(({ voice }) => voice);
		return moments.length > 0 ? nearestVoice(moments, byVoice) : undefined;
	});
	return byVoice.flatMap((voice, index) => {
		return voicesByLevel(phrases.filter((_, at) => nearest[at] === index)) ?? [voice];
	});
}

function clearMoments(phrases: readonly HeardPhrase[]): Moment[] {
	return phrases.flatMap(({ moments }) => moments).filter(({ weight }) => weight >= MIN_WEIGHT);
}

/**
 * The voices of two people who are alike, but not equally loud: the loud phrases must nearly all be more like each other
 * than like the soft ones, and the soft ones, too. Undefined if that is one person.
 */
function voicesByLevel(phrases: readonly HeardPhrase[]): Float32Array[] | undefined {
	const heard = phrases.filter((phrase) => clearMoments([phrase]).length > 0);
	const levels = heard.map(({ levelDb }) => levelDb);
	let [low, high] = [Math.min(...levels), Math.max(...levels)];
	let groups: HeardPhrase[][] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const middle = (low + high) / 2;
		groups = [
			heard.filter(({ levelDb }) => levelDb < middle),
			heard.filter(({ levelDb }) => levelDb >= middle),
		];
		[low, high] = groups.map((group) => levelOf(group) ?? middle);
	}
	if (high - low < MIN_APART_DB) return undefined;
	const voices = groups.map((group) => clearMoments(group).map(({ voice }) => voice));
	if (voices.some(({ length }) => length < MIN_MOMENTS)) return undefined;
	const centers = voices.map(centerOf);
	if (alike(centers[0], centers[1]) > MAX_ALIKE) return undefined;
	const isApart = voices.every((own, group) => {
		const nearer = own.filter((voice) => {
			const others = centerOf(own.filter((one) => one !== voice));
			return alike(voice, others) > alike(voice, centers[1 - group]);
		});
		return nearer.length >= MIN_NEARER_SHARE * own.length;
	});
	return isApart ? centers : undefined;
}

/** The parts of a phrase in which one speaker after the other is heard clearly. */
function dividedBy(
	phrase: HeardPhrase,
	voices: readonly Float32Array[],
	levels: Float32Array,
): Part[] {
	const parts: HeardPhrase[] = [];
	let rest = phrase;
	let last: { readonly speaker: number; readonly moment: Moment } | undefined;
	for (const moment of phrase.moments) {
		const speaker = clearSpeaker(moment, voices);
		if (speaker === undefined) continue;
		if (last !== undefined && last.speaker !== speaker) {
			const border = softestHop(levels, { start: last.moment.middle, end: moment.middle });
			parts.push(partOf(rest, { start: rest.start, end: border }, levels));
			rest = partOf(rest, { start: border, end: rest.end }, levels);
		}
		last = { speaker, moment };
	}
	return [...parts, rest].map((part, at) => ({ ...part, isFirst: at === 0 }));
}

/** Who is heard in a moment, if that is clear. */
function clearSpeaker({ voice }: Moment, voices: readonly Float32Array[]): number | undefined {
	const likeness = voices.map((one) => alike(voice, one));
	const order = likeness.toSorted((a, b) => b - a);
	return order[0] - order[1] >= CLEAR_LIKENESS ? likeness.indexOf(order[0]) : undefined;
}

function partOf(
	phrase: HeardPhrase,
	{ start, end }: IndexRange,
	levels: Float32Array,
): HeardPhrase {
	const moments = phrase.moments.filter(({ middle }) => middle >= start && middle < end);
	return { ...phrase, ...phraseIn(levels, { start, end }), moments };
}

/** How loud somebody is in these phrases, dB; undefined without any. */
function levelOf(phrases: readonly HeardPhrase[]): number | undefined {
	const voiced = phrases.filter(({ isVoiced }) => isVoiced);
	const order = voiced.toSorted((a, b) => a.levelDb - b.levelDb);
	let left = order.reduce((sum, { speechSeconds }) => sum + speechSeconds, 0) / 2;
	const middle = order.find(({ speechSeconds }) => (left -= speechSeconds) <= 0);
	if (middle === undefined) return undefined;
	const near = voiced.filter(({ levelDb }) => Math.abs(levelDb - middle.levelDb) <= NEAR_DB);
	const seconds = near.reduce((sum, { speechSeconds }) => sum + speechSeconds, 0);
	const energy = near.reduce((sum, { levelDb, speechSeconds }) => {
		return sum + speechSeconds * 10 ** (levelDb / 10);
	}, 0);
	return 10 * Math.log10(energy / seconds);
}
