import { mean } from '../../engine/signal/levels.mts';
import {
	alike,
	centerOf,
	type Divided,
	dividedAround,
	sideOf,
} from '../../engine/voice/voices.mts';

/** What describes a voice: numbers of length 1. */
type Voice = Float32Array;

/** What somebody says at a time: the voice at some moments of it. */
type Phrase = readonly Voice[];

/** Two groups of phrases, and what shows whether they are of two people. */
interface Halves {
	groups: [Phrase[], Phrase[]];
	/** How alike their voices are, up to 1. */
	likeness: number;
	/** How much oftener the moments of one phrase fall into one group than by chance, up to 1 (Cohen's kappa). */
	agreement: number;
	/** Of all phrases of both, the share of the smaller one. */
	share: number;
	/** How far their middles are apart on the line between them, of how far phrases spread around their own. */
	gap: number;
}

/**
 * Two people: their voices differ, and the phrases fall into two groups as a whole. The moments of one person's phrase fall
 * into both, and what somebody shouts or whispers now and then is still the same voice: the fewer phrases, the more another
 * voice must they be in. Chosen with 14 voices and 12 pairs who do not judge.
 */
const APART = [
	{ maxLikeness: 0.66, minAgreement: 0.7, minShare: 0.05 },
	{ maxLikeness: 0.85, minAgreement: 0.85, minShare: 0.2 },
	{ maxLikeness: 0.9, minAgreement: 0.85, minShare: 0.35 },
] as const;

/**
 * Phrases of two people leave a gap between them: it was 7 and more. What two means make of one person's, even an actor's,
 * is 4 to 6.2, seldom more, because most phrases lie near the border.
 */
const MIN_GAP = 6.5;

const MIN_PHRASES = 3;
const MAX_VOICES = 3;

/** How many pairs of phrases a division begins with, of which the best one counts. */
const STARTS = 8;

/** Returns the voices of two or three people, if there are several: the center of each. Otherwise, there is one. */
export function voicesOfPhrases(phrases: readonly Phrase[]): Voice[] {
	let groups = [phrases.filter(({ length }) => length > 0)];
	while (groups.length < MAX_VOICES) {
		const divided = groups.map((group) => halvesOf(group));
		const apart = divided.filter((one) => one !== undefined).filter(areApart);
		if (apart.length === 0) break;
		const best = apart.reduce((least, one) => (one.likeness < least.likeness ? one : least));
		const at = divided.indexOf(best);
		groups = [...groups.slice(0, at), ...best.groups, ...groups.slice(at + 1)];
	}
	return groups.map((group) => centerOf(group.flat()));
}

function areApart({ likeness, agreement, share, gap }: Halves): boolean {
	if (gap < MIN_GAP) return false;
	return APART.some(({ maxLikeness, minAgreement, minShare }) => {
		return likeness < maxLikeness && agreement >= minAgreement && share >= minShare;
	});
}

/** Divides phrases into the two groups that are most alike within. */
function halvesOf(phrases: readonly Phrase[]): Halves | undefined {
	const voices = phrases.map(centerOf);
	let best: (Divided & { readonly fit: number }) | undefined;
	for (let start = 0; start < Math.min(STARTS, voices.length); start++) {
		const first = voices[Math.floor((start * voices.length) / STARTS)];
		const divided = dividedAround(first, voices, MIN_PHRASES);
		if (divided === undefined) continue;
		const fit = fitOf(voices, divided);
		if (fit > (best?.fit ?? -Infinity)) best = { ...divided, fit };
	}
	if (best === undefined) return undefined;
	const { sides, centers } = best;
	const groups: Halves['groups'] = [[], []];
	for (const [at, phrase] of phrases.entries()) groups[sides[at]].push(phrase);
	const smaller = Math.min(groups[0].length, groups[1].length);
	return {
		groups,
		likeness: alike(centers[0], centers[1]),
		agreement: agreementIn(phrases, centers),
		share: smaller / phrases.length,
		gap: gapBetween(voices, best),
	};
}

function gapBetween(voices: readonly Voice[], { sides, centers: [one, other] }: Divided): number {
	const places = voices.map((voice) => alike(voice, one) - alike(voice, other));
	const middles = [0, 1].map((side) => mean(places.filter((_, at) => sides[at] === side)));
	const spread = Math.sqrt(mean(places.map((place, at) => (place - middles[sides[at]]) ** 2)));
	return (middles[0] - middles[1]) / spread;
}

/** How alike voices are to the centers of their halves, on the whole. */
function fitOf(voices: readonly Voice[], { sides, centers }: Divided): number {
	return voices.reduce((sum, voice, at) => sum + alike(voice, centers[sides[at]]), 0);
}

/** 0 if no phrase has two moments. */
function agreementIn(phrases: readonly Phrase[], centers: readonly Voice[]): number {
	const sides = phrases.map((phrase) => phrase.map((voice) => sideOf(voice, centers)));
	let [pairs, same] = [0, 0];
	for (const phrase of sides) {
		const second = phrase.filter((side) => side === 1).length;
		const first = phrase.length - second;
		pairs += phrase.length * (phrase.length - 1);
		same += first * (first - 1) + second * (second - 1);
	}
	const all = sides.flat();
	const share = all.filter((side) => side === 1).length / all.length;
	const byChance = share ** 2 + (1 - share) ** 2;
	return pairs === 0 || byChance === 1 ? 0 : (same / pairs - byChance) / (1 - byChance);
}
