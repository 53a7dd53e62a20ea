import { sharedRanges } from '../engine/sharedTimeline.mts';
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
	let [index, removedSeconds] = [0, 0];
	return words
		.toSorted((a, b) => a.startSeconds - b.startSeconds)
		.flatMap((word) => {
			for (; index < ranges.length && ranges[index].endSeconds <= word.startSeconds; index++) {
				removedSeconds += ranges[index].endSeconds - ranges[index].startSeconds;
			}
			const removed = removedFrom(word, ranges, index);
			const length = word.endSeconds - word.startSeconds;
			if (removed.insideSeconds > length / 2) return [];
			if (isMuted) return [word];
			const startSeconds = word.startSeconds - removedSeconds - removed.beforeSeconds;
			return [{ ...word, startSeconds, endSeconds: startSeconds + length - removed.insideSeconds }];
		});
}

/** Seconds that the ranges from an index on remove from a word, and from the time before it. */
function removedFrom(word: SpokenWord, ranges: readonly TimeRange[], from: number) {
	let beforeSeconds = 0;
	let insideSeconds = 0;
	for (let index = from; index < ranges.length; index++) {
		const { startSeconds, endSeconds } = ranges[index];
		if (startSeconds >= word.endSeconds) break;
		beforeSeconds += Math.max(0, word.startSeconds - startSeconds);
		insideSeconds +=
			Math.min(endSeconds, word.endSeconds) - Math.max(startSeconds, word.startSeconds);
	}
	return { beforeSeconds, insideSeconds };
}
