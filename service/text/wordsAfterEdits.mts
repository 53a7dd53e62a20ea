import { sharedRanges } from '../engine/sharedTimeline.mts';
import { newTime } from '../media/pictureTimes.mts';
import type { SpokenWord, TimeRange } from '../shared/timeRanges.mts';

/**
 * Returns the words of a source as they are in the edited file: without the removed ones, and at
 * their new times.
 *
 * @param isMuted whether the edits became silence, which moves nothing.
 */
export function wordsAfterEdits(
	words: readonly SpokenWord[],
	edits: readonly TimeRange[],
	isMuted: boolean,
): SpokenWord[] {
	const ranges = sharedRanges(edits);
	// The ranges before the current word, summed up while iterating over the words.
	let [first, removedSeconds] = [0, 0];
	return words
		.toSorted((a, b) => a.startSeconds - b.startSeconds)
		.flatMap((word) => {
			for (; first < ranges.length && ranges[first].endSeconds <= word.startSeconds; first++) {
				removedSeconds += ranges[first].endSeconds - ranges[first].startSeconds;
			}
			let next = first;
			while (next < ranges.length && ranges[next].startSeconds < word.endSeconds) next++;
			const near = ranges.slice(first, next);
			const startSeconds = newTime(word.startSeconds, near) - removedSeconds;
			const endSeconds = newTime(word.endSeconds, near) - removedSeconds;
			const isGone = endSeconds - startSeconds < (word.endSeconds - word.startSeconds) / 2;
			if (isGone) return [];
			return [isMuted ? word : { ...word, startSeconds, endSeconds }];
		});
}
