import { alike } from '../voice/voices.mts';
import type { HeardPhrase } from './heardPhrases.mts';

/** How much a moment in the likeness of one voice speaks against another, and how much at most: natural logarithms of odds. */
const ODDS_OF_VOICE = 40;
const MAX_ODDS_OF_VOICE = 10;

/**
 * How far phrases of one speaker are from their level, dB, and by what odds this speaks against a speaker at most. Asides
 * are softer, but few people are suddenly louder by much.
 */
const SOFTER = { sdDb: 3.3, maxOdds: 6 };
const LOUDER = { sdDb: 2.5, maxOdds: Infinity };

/** What it costs that another speaker goes on after a pause up to this long, hops. */
const CHANGE_COSTS = [
	{ hops: 15, cost: 4 },
	{ hops: 40, cost: 2 },
	{ hops: Infinity, cost: 1 },
] as const;

/** The same within a phrase, which is divided where it sounds as if somebody else went on. */
const CHANGE_WITHIN_COST = 1;

/** A part of a phrase in which one speaker is heard. */
export interface Part extends HeardPhrase {
	/** Whether it is the first of its phrase. */
	readonly isFirst: boolean;
}

/**
 * Returns the likeliest speaker of each phrase, if all phrases are taken together (Viterbi).
 *
 * @param levels of the speakers, dB; undefined where a speaker's is not known.
 */
export function likeliestSpeakers(
	phrases: readonly Part[],
	voices: readonly Float32Array[],
	levels: readonly (number | undefined)[],
): number[] {
	let odds = voices.map(() => 0);
	const cameFrom: number[][] = [];
	for (const [at, phrase] of phrases.entries()) {
		const gap = at === 0 ? Infinity : phrase.start - phrases[at - 1].end;
		const cost = phrase.isFirst ? costOf(phrase, gap) : CHANGE_WITHIN_COST;
		const best = odds.indexOf(Math.max(...odds));
		const before = odds.map((own, speaker) => (own < odds[best] - cost ? best : speaker));
		const here = oddsOf(phrase, voices, levels);
		odds = before.map((from, speaker) => {
			return odds[from] - (from === speaker ? 0 : cost) + here[speaker];
		});
		cameFrom.push(before);
	}
	let speaker = odds.indexOf(Math.max(...odds));
	return cameFrom
		.toReversed()
		.map((before) => {
			const own = speaker;
			speaker = before[speaker];
			return own;
		})
		.toReversed();
}

/** What it costs that another speaker goes on with a phrase after a gap, hops. */
function costOf({ moments }: Part, gap: number): number {
	// The soft end of a sentence, too short to show whose voice it is, is not somebody else.
	if (gap === 0 && moments.length === 0) return Infinity;
	return CHANGE_COSTS.find(({ hops }) => gap <= hops)?.cost ?? 0;
}

/** How much a phrase speaks for each speaker. */
function oddsOf(
	{ moments, levelDb, isVoiced, speechSeconds }: HeardPhrase,
	voices: readonly Float32Array[],
	levels: readonly (number | undefined)[],
): number[] {
	const odds = voices.map(() => 0);
	for (const { voice, weight } of moments) {
		const likeness = voices.map((one) => alike(voice, one));
		const most = Math.max(...likeness);
		for (const [speaker, own] of likeness.entries()) {
			odds[speaker] -= weight * Math.min(MAX_ODDS_OF_VOICE, ODDS_OF_VOICE * (most - own));
		}
	}
	const share = Math.min(1, speechSeconds);
	return odds.map((own, speaker) => {
		const level = levels[speaker];
		if (level === undefined) return own;
		const { sdDb, maxOdds } = levelDb > level ? LOUDER : SOFTER;
		// A whisper or a breath may be as soft as it likes.
		const away = isVoiced || levelDb > level ? (levelDb - level) / sdDb : 0;
		return own - share * Math.min(maxOdds, (away * away) / 2);
	});
}
