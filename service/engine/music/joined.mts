import type { TimeRange } from '../../shared/timeRanges.mts';

/** Returns ranges in order of time, without overlap, those joined that have no longer gap between them. */
export function joined(ranges: readonly TimeRange[], gapSeconds: number): TimeRange[] {
	const result: TimeRange[] = [];
	for (const range of ranges.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
		const last = result.at(-1);
		if (last && range.startSeconds - last.endSeconds <= gapSeconds) {
			last.endSeconds = Math.max(last.endSeconds, range.endSeconds);
		} else result.push({ ...range });
	}
	return result;
}
