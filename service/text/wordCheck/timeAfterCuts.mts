import { sharedRanges } from '../../engine/sharedTimeline.mts';
import { firstFrom } from '../../engine/signal/levels.mts';
import { newTime } from '../../media/pictureTimes.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/**
 * Returns a function that says where a moment of the source is in the edited file, in seconds; a moment inside a cut
 * is at its join. It takes as long with thousands of cuts.
 *
 * @param ranges in order and without overlap.
 */
export function timeAfterCuts(ranges: readonly TimeRange[]): (seconds: number) => number {
	let removedSeconds = 0;
	const removedBefore = ranges.map(({ startSeconds, endSeconds }) => {
		const before = removedSeconds;
		removedSeconds += endSeconds - startSeconds;
		return before;
	});
	return (seconds) => {
		const last = firstFrom(ranges, ({ startSeconds }) => startSeconds < seconds) - 1;
		return last < 0 ? seconds : newTime(seconds, [ranges[last]]) - removedBefore[last];
	};
}

/** The same for the edits of a recording. @param isMuted whether they became silence, which moves nothing. */
export function timeAfterEdits(
	edits: readonly TimeRange[],
	isMuted: boolean,
): (seconds: number) => number {
	return isMuted ? (seconds) => seconds : timeAfterCuts(sharedRanges(edits));
}
