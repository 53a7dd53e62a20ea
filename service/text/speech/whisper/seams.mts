import type { RecognizedSpeech, SpokenWord, TimeRange } from '../../../shared/timeRanges.mts';
import { bare } from '../punctuation.mts';

/** A piece of a recording, and what was recognized in it and around it. */
export interface PieceWords extends TimeRange, RecognizedSpeech {}

/** The same word in two pieces is heard at times no further apart, seconds. */
const MAX_APART_SECONDS = 0.6;
/** Different words at times no further apart are one that was spelled in two ways, seconds. */
const SAME_WORD_SECONDS = 0.15;

const middleOf = ({ startSeconds, endSeconds }: TimeRange) => (startSeconds + endSeconds) / 2;

/**
 * Returns the words of all pieces in order, each once: around a seam, both pieces have the same words, at
 * slightly different times.
 *
 * @param aroundSeconds how far beyond its ends a piece was heard.
 */
export function joinedWords(pieces: readonly PieceWords[], aroundSeconds: number): SpokenWord[] {
	const joined: SpokenWord[] = [];
	for (const [index, piece] of pieces.entries()) {
		const before = pieces.at(index - 1);
		if (index === 0 || before?.endSeconds !== piece.startSeconds) {
			joined.push(...piece.words);
			continue;
		}
		const seam = piece.startSeconds;
		const nearStart = joined.findLastIndex((word) => middleOf(word) < seam - aroundSeconds) + 1;
		const near = joined.slice(nearStart);
		const [kept, skipped] = splitOf(near, piece.words, seam, aroundSeconds);
		joined.splice(nearStart + kept);
		joined.push(...piece.words.slice(skipped));
	}
	return joined;
}

/**
 * Returns how many of the words before a seam to keep, and how many of those after it to leave out: up to
 * the word nearest to it that both pieces have, or else up to the seam.
 */
function splitOf(
	before: readonly SpokenWord[],
	after: readonly SpokenWord[],
	seam: number,
	aroundSeconds: number,
): [kept: number, skipped: number] {
	const near = after.filter((word) => middleOf(word) <= seam + aroundSeconds);
	const nearest = wordsInBoth(before, near)
		.map(([one, other]) => ({ one, other, distance: Math.abs(middleOf(before[one]) - seam) }))
		.toSorted((a, b) => a.distance - b.distance)
		.at(0);
	if (nearest !== undefined) return [nearest.one + 1, nearest.other + 1];
	const firstIn = (words: readonly SpokenWord[]) => {
		const first = words.findIndex((word) => middleOf(word) >= seam);
		return first < 0 ? words.length : first;
	};
	return [firstIn(before), firstIn(after)];
}

/** Pairs of words, by their places in two pieces; the more and the nearer in time, the higher the score. */
interface Pairs {
	score: number;
	pairs: Array<[one: number, other: number]>;
}

/**
 * Returns the pairs of words that two pieces both have, by their places: the longest sequence in both, so
 * that "very, very" stays two words, and of equally long ones that at the most similar times.
 */
function wordsInBoth(before: readonly SpokenWord[], after: readonly SpokenWord[]): Pairs['pairs'] {
	let row = Array.from({ length: after.length + 1 }, (): Pairs => ({ score: 0, pairs: [] }));
	for (const [one, word] of before.entries()) {
		const next: Pairs[] = [{ score: 0, pairs: [] }];
		for (const [other, again] of after.entries()) {
			const apart = Math.abs(middleOf(word) - middleOf(again));
			const isSame = bare(word.text) === bare(again.text);
			const most = isSame ? MAX_APART_SECONDS : SAME_WORD_SECONDS;
			const { score, pairs } = row[other];
			const choices = [row[other + 1], next[other]];
			const gain = (isSame ? 1 : 0.2) - apart;
			if (apart < most) choices.push({ score: score + gain, pairs: [...pairs, [one, other]] });
			next.push(choices.reduce((best, choice) => (choice.score > best.score ? choice : best)));
		}
		row = next;
	}
	return row.at(-1)?.pairs ?? [];
}
