import type { TimeRange } from '../shared/timeRanges.mts';
import { MAX_STILL_SECONDS } from './pictureRuns.mts';

/**
 * Returns an ffmpeg expression for the new time of a frame, from its old time `T` in seconds. A
 * kept frame moves up by what was removed before it. Removed frames all get the time of the join,
 * where the last of them stays: the one on display when the sound continues.
 *
 * The conditions form a balanced tree: a dozen comparisons per frame even with thousands of cuts,
 * and the nesting stays far below the limit of ffmpeg's parser.
 *
 * @param ranges in order and without overlap.
 */
export function newTimeExpression(ranges: readonly TimeRange[]): string {
	let removed = 0;
	const leaves = ranges.map(({ startSeconds, endSeconds }) => {
		const leaf = `min(T-${seconds(removed)},${seconds(startSeconds - removed)})`;
		removed += endSeconds - startSeconds;
		return leaf;
	});
	leaves.push(`T-${seconds(removed)}`);
	const bounds = ranges.map(({ endSeconds }) => seconds(endSeconds));
	return treeOf('T', leaves, bounds, 0, ranges.length);
}

/**
 * Returns an ffmpeg expression that chooses among frames at a constant rate, by their time `t` in seconds: all
 * within the runs, and between and after them one a second, with the frame that begins the next run and the last two.
 *
 * @param runs in order, at least one, and further apart than a second; see `PictureRuns`.
 * @param lastSeconds when the last frame ends.
 */
export function chosenFramesExpression(
	runs: readonly TimeRange[],
	frameSeconds: number,
	lastSeconds: number,
): string {
	// The constant rate moves a picture by up to half a frame.
	const slack = 0.75 * frameSeconds;
	const wait = seconds(MAX_STILL_SECONDS - 0.001);
	const leaves = runs.map(
		({ endSeconds }) => `lt(t,${seconds(endSeconds + slack)})+gte(t-prev_selected_t,${wait})`,
	);
	const bounds = runs.slice(1).map(({ startSeconds }) => seconds(startSeconds - slack));
	const isLast = `gte(t,${seconds(lastSeconds - 2.5 * frameSeconds)})`;
	return `${treeOf('t', leaves, bounds, 0, bounds.length)}+${isLast}`;
}

/** Returns the new time of one moment, in seconds. */
export function newTime(oldSeconds: number, ranges: readonly TimeRange[]): number {
	const removed = ranges.map(({ startSeconds, endSeconds }) =>
		Math.max(0, Math.min(oldSeconds, endSeconds) - startSeconds),
	);
	return oldSeconds - removed.reduce((sum, length) => sum + length, 0);
}

/** The subtree of the leaves from `first` to `last`. Leaf n applies to times before bound n. */
function treeOf(
	time: 'T' | 't',
	leaves: readonly string[],
	bounds: readonly string[],
	first: number,
	last: number,
): string {
	if (first === last) return leaves[first];
	const middle = Math.floor((first + last) / 2);
	const before = treeOf(time, leaves, bounds, first, middle);
	const after = treeOf(time, leaves, bounds, middle + 1, last);
	return `if(lt(${time},${bounds[middle]}),${before},${after})`;
}

/** Microseconds suffice and keep the expression short: an hour may have thousands of cuts. */
function seconds(value: number): string {
	return String(Number(value.toFixed(6)));
}
