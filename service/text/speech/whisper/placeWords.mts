import { HOPS_PER_SECOND } from '../../../engine/signal/levels.mts';
import { isFillerSomewhere } from '../../../engine/detection/spokenWords.mts';
import type { IndexRange, SpokenWord } from '../../../shared/timeRanges.mts';
import { maxSecondsOf } from '../../../shared/wordLength.mts';
import type { TokenWord } from './tokenWords.mts';

/** What words are placed by: the level of every 10 ms, and 1 where there is sound of speech. */
export interface Sound {
	levels: Float32Array;
	sounds: Uint8Array;
}

/** A shorter gap is the closure of a consonant, hops; of several, those are pauses that are nearly as long as the longest. */
const GAP_HOPS = 9;
const GAP_SHARE = 0.4;

/** A word may end this much before the point at which the model heard it or its first part end, hops. */
const EARLY_HOPS = 8;

/** Where words touch, the border is the softest moment in these hops after the point of the first. */
const TOUCHING_HOPS = [-3, 18] as const;

/** A point lies no further from its sound, hops. */
const MAX_APART_HOPS = 60;

/** Where the model heard the first and the last part of a word end, in hops. */
interface Anchor {
	first: number;
	last: number;
}

/**
 * Moves words to their sound. The model's points say which sound is whose; between the points of two words, pauses
 * divide them, or else the softest moment does.
 *
 * @param words of one piece, in order.
 */
export function placedWords(words: readonly TokenWord[], sound: Sound): SpokenWord[] {
	const anchors = anchorsOf(words, sound.levels.length);
	const borders = anchors.map((anchor, at) => {
		const next = anchors.at(at + 1);
		const isHeld = isFillerSomewhere(words[at].text);
		return next && borderBetween(anchor.last, next.first, isHeld, sound);
	});
	const spans = words.map((word, at): IndexRange => {
		const { first, last } = anchors[at];
		const longest = Math.ceil(maxSecondsOf(word.text) * HOPS_PER_SECOND);
		const start = borders[at - 1]?.end ?? reached(first, -1, longest, sound);
		const end = borders[at]?.start ?? reached(last, 1, longest, sound);
		return end > start ? { start, end } : { start: first, end: first + 1 };
	});
	shareSpans(words, spans, sound);
	return words.map((word, at) => {
		const { start, end } = spans[at];
		const longest = Math.ceil(maxSecondsOf(word.text) * HOPS_PER_SECOND);
		return placed(word, { start: Math.max(start, end - longest), end }, sound);
	});
}

/** A word that got less has a wrong point: it is said within the time of its neighbor, hops. */
const MIN_SPAN_HOPS = 4;
const MIN_SHARED_HOPS = 16;

/** Divides the time of a neighbor where a word has none: by letters, at the softest moment near there. */
function shareSpans(words: readonly TokenWord[], spans: IndexRange[], { levels }: Sound): void {
	const lengthOf = (at: number) => spans[at].end - spans[at].start;
	for (const [at, { text }] of words.entries()) {
		if (lengthOf(at) >= MIN_SPAN_HOPS) continue;
		const near = [at - 1, at + 1].filter((other) => words.at(other) && other >= 0);
		const hopsALetter = (other: number) => lengthOf(other) / words[other].text.length;
		const [other] = near.toSorted((a, b) => hopsALetter(b) - hopsALetter(a));
		if (near.length === 0 || lengthOf(other) < MIN_SHARED_HOPS) continue;
		const { start, end } = spans[other];
		const [one, two] = other < at ? [other, at] : [at, other];
		const letters = text.length + words[other].text.length;
		const share = Math.round(((end - start) * words[one].text.length) / letters);
		const reach = Math.floor(Math.min(share, end - start - share) / 2);
		let softest = start + share;
		for (let hop = start + share - reach; hop <= start + share + reach; hop++) {
			if (levels[hop] < levels[softest]) softest = hop;
		}
		spans[one] = { start, end: softest };
		spans[two] = { start: softest, end };
	}
}

function placed({ text }: TokenWord, { start, end }: IndexRange, { sounds }: Sound): SpokenWord {
	const isGuessed = !sounds.subarray(start, end).includes(1);
	return {
		text,
		startSeconds: start / HOPS_PER_SECOND,
		endSeconds: end / HOPS_PER_SECOND,
		...(isGuessed && { isGuessed }),
	};
}

/** Without points, the middle of a word's time stands for both. None is before the one before. */
function anchorsOf(words: readonly TokenWord[], hops: number): Anchor[] {
	let latest = 0;
	const later = (seconds: number) => {
		latest = Math.max(latest, Math.min(hops - 1, Math.round(seconds * HOPS_PER_SECOND)));
		return latest;
	};
	return words.map(({ points, startSeconds, endSeconds }) => {
		const middle = (startSeconds + endSeconds) / 2;
		return { first: later(points.at(0) ?? middle), last: later(points.at(-1) ?? middle) };
	});
}

/** Returns where the word before ends, and the word after begins. @param isHeld whether the first may be a held sound. */
function borderBetween(
	last: number,
	first: number,
	isHeld: boolean,
	{ levels, sounds }: Sound,
): IndexRange {
	// What is silent at the point of the second word may be the pause after it.
	const gaps = gapsIn(sounds, Math.max(0, last - EARLY_HOPS), Math.max(last, first - EARLY_HOPS));
	const longest = Math.max(0, ...gaps.map(({ start, end }) => end - start));
	const least = Math.max(GAP_HOPS, GAP_SHARE * longest);
	const pauses = gaps.filter(({ start, end }) => end - start >= least);
	if (pauses.length > 0) return { start: pauses[0].start, end: pauses[pauses.length - 1].end };
	const [from, usual] = TOUCHING_HOPS.map((hops) => Math.max(0, last + hops));
	// The model hears the end of a held sound long before it is over.
	const to = isHeld ? first : usual;
	let softest = from;
	for (let hop = from; hop <= Math.min(to, Math.max(from, first)); hop++) {
		if (levels[hop] < levels[softest]) softest = hop;
	}
	return { start: softest, end: softest };
}

/** Gaps of sound in a range, with all that is silent around it. */
function gapsIn(sounds: Uint8Array, from: number, to: number): IndexRange[] {
	const gaps: IndexRange[] = [];
	for (let hop = from; hop <= to; hop++) {
		if (sounds[hop] === 1) continue;
		let [start, end] = [hop, hop];
		while (start > 0 && hop - start < MAX_APART_HOPS && sounds[start - 1] === 0) start--;
		while (end < sounds.length && (end <= to || end - to < MAX_APART_HOPS) && sounds[end] === 0)
			end++;
		gaps.push({ start, end });
		hop = end;
	}
	return gaps;
}

/** How far the sound at a point, or the nearest one, reaches in a direction without a pause. */
function reached(point: number, step: 1 | -1, longest: number, { sounds }: Sound): number {
	const isSound = (hop: number) => sounds[hop] === 1;
	let from = point;
	for (let apart = 0; apart < MAX_APART_HOPS && !isSound(from); apart++) {
		from = [point - apart, point + apart].find(isSound) ?? from;
	}
	let reach = from;
	for (
		let hop = from;
		Math.abs(hop - from) <= longest && Math.abs(hop - reach) < GAP_HOPS;
		hop += step
	) {
		if (isSound(hop)) reach = hop;
	}
	return step === 1 ? reach + 1 : reach;
}
