import { sharedRanges } from '../engine/sharedTimeline.mts';
import { newTime } from '../media/pictureTimes.mts';
import { timeWithKit, type Insertion } from '../shared/showKit.mts';
import type { EditKind, SpokenWord, TimelineEdit, TimeRange } from '../shared/timeRanges.mts';

/** What is cut as one of these is no word. A word that reaches into it has wrong times, as recognizers give many. */
const WORDLESS: ReadonlySet<EditKind> = new Set(['long_silence', 'breath', 'mouth_sound']);

/** Times differ by less where they are the same, seconds. */
const ROUNDING_SECONDS = 0.001;

/**
 * Returns the words of a source as they are in the edited file: at their new times, and without those of which
 * the cuts of speech took more than is left.
 *
 * @param isMuted whether the edits became silence, which moves nothing.
 */
export function wordsAfterEdits(
	words: readonly SpokenWord[],
	edits: readonly TimelineEdit[],
	isMuted: boolean,
): SpokenWord[] {
	const afterAll = moverOf(edits);
	const afterCutsOfSpeech = moverOf(edits.filter(({ kind }) => !WORDLESS.has(kind)));
	return words
		.toSorted((a, b) => a.startSeconds - b.startSeconds)
		.flatMap((word) => {
			const { startSeconds, endSeconds } = afterAll(word);
			const lostSeconds = secondsOf(word) - secondsOf(afterCutsOfSpeech(word));
			if (lostSeconds - (endSeconds - startSeconds) > ROUNDING_SECONDS) return [];
			return [isMuted ? word : { ...word, startSeconds, endSeconds }];
		});
}

/** Returns the words of an edited recording where they are with what was put into it. */
export function wordsWithKit(
	words: readonly SpokenWord[],
	insertions: readonly Insertion[],
): readonly SpokenWord[] {
	if (insertions.length === 0) return words;
	return words.map((word) => {
		// A recognizer's times may reach into the pause: the word is where its middle is.
		const middle = (word.startSeconds + word.endSeconds) / 2;
		const later = timeWithKit(middle, insertions) - middle;
		return {
			...word,
			startSeconds: word.startSeconds + later,
			endSeconds: word.endSeconds + later,
		};
	});
}

function secondsOf({ startSeconds, endSeconds }: TimeRange): number {
	return endSeconds - startSeconds;
}

/** Returns a function that returns the new times of a range. Each must not begin before the last one did. */
function moverOf(edits: readonly TimelineEdit[]): (range: TimeRange) => TimeRange {
	const ranges = sharedRanges(edits);
	// The ranges before the current one, summed up on the way.
	let [first, removedSeconds] = [0, 0];
	return ({ startSeconds, endSeconds }) => {
		for (; first < ranges.length && ranges[first].endSeconds <= startSeconds; first++) {
			removedSeconds += secondsOf(ranges[first]);
		}
		let next = first;
		while (next < ranges.length && ranges[next].startSeconds < endSeconds) next++;
		const near = ranges.slice(first, next);
		return {
			startSeconds: newTime(startSeconds, near) - removedSeconds,
			endSeconds: newTime(endSeconds, near) - removedSeconds,
		};
	};
}
