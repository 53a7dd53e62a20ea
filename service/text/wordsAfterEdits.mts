import { sharedRanges } from '../engine/sharedTimeline.mts';
import type { SpokenWord, TimeRange } from '../shared/timeRanges.mts';

/** The ranges before the current word, summed up while iterating over the words. */
interface Passed {
	index: number;
	removedSeconds: number;
}

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
	const passed: Passed = { index: 0, removedSeconds: 0 };
	return words
		.toSorted((a, b) => a.startSeconds - b.startSeconds)
		.flatMap((word) => {
			passRangesBefore(word, ranges, passed);
			const removed = removedFrom(word, ranges, passed.index);
			const length = word.endSeconds - word.startSeconds;
			if (removed.insideSeconds > length / 2) return [];
			if (isMuted) return [word];
			const startSeconds = word.startSeconds - passed.removedSeconds - removed.beforeSeconds;
			return [{ ...word, startSeconds, endSeconds: startSeconds + length - removed.insideSeconds }];
		});
}

function passRangesBefore(
	{ startSeconds: wordStart }: SpokenWord,
	ranges: readonly TimeRange[],
	passed: Passed,
): void {
	while (passed.index < ranges.length && ranges[passed.index].endSeconds <= wordStart) {
		const { startSeconds, endSeconds } = ranges[passed.index];
		passed.removedSeconds += endSeconds - startSeconds;
		passed.index += 1;
	}
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
