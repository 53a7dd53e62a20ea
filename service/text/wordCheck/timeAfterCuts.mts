import { sharedRanges } from '../../engine/sharedTimeline.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { countBefore } from './countBefore.mts';

/**
 * Returns a function that says where a moment of the source is in the edited file, in seconds; a moment inside a cut
 * is at its join. It takes as long with thousands of cuts.
 *
 * @param ranges in order and without overlap.
 */
export function timeAfterCuts(ranges: readonly TimeRange[]): (seconds: number) => number {
	let removedSeconds = 0;
	const removedUpTo = ranges.map(({ startSeconds, endSeconds }) => {
		removedSeconds += endSeconds - startSeconds;
		return removedSeconds;
	});
	return (seconds) => {
		const at = countBefore(ranges, ({ startSeconds }) => startSeconds < seconds);
		if (at === 0) return seconds;
		const { endSeconds } = ranges[at - 1];
		return seconds - removedUpTo[at - 1] + Math.max(0, endSeconds - seconds);
	};
}

/** The same for the edits of a recording. @param isMuted whether they became silence, which moves nothing. */
export function timeAfterEdits(
	edits: readonly TimeRange[],
	isMuted: boolean,
): (seconds: number) => number {
	return isMuted ? (seconds) => seconds : timeAfterCuts(sharedRanges(edits));
}
