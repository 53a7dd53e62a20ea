import type { TimeRange } from '../shared/timeRanges.mts';

/**
 * The new time of a picture as an expression of ffmpeg, from its time `T` in seconds: what is kept
 * moves up by what was removed before it; what is removed all falls on the moment of the join,
 * where the last of it (the picture that is on display when the sound goes on) remains.
 *
 * The conditions form a balanced tree: a picture costs a dozen comparisons however many cuts there
 * are, and the nesting stays far below what ffmpeg's parser takes.
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
	return treeOf(leaves, bounds, 0, ranges.length);
}

/** The new time of one moment, in seconds. */
export function newTime(oldSeconds: number, ranges: readonly TimeRange[]): number {
	const removed = ranges.map(({ startSeconds, endSeconds }) =>
		Math.max(0, Math.min(oldSeconds, endSeconds) - startSeconds),
	);
	return oldSeconds - removed.reduce((sum, length) => sum + length, 0);
}

/** The leaves from `first` to `last`, where leaf n is for times before bound n. */
function treeOf(
	leaves: readonly string[],
	bounds: readonly string[],
	first: number,
	last: number,
): string {
	if (first === last) return leaves[first];
	const middle = Math.floor((first + last) / 2);
	const before = treeOf(leaves, bounds, first, middle);
	const after = treeOf(leaves, bounds, middle + 1, last);
	return `if(lt(T,${bounds[middle]}),${before},${after})`;
}

/** Microseconds are enough, and short: an hour of talk may have thousands of cuts. */
function seconds(value: number): string {
	return String(Number(value.toFixed(6)));
}
