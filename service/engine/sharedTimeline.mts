import { FADE_SECONDS, rangesOf } from './timeline.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/**
 * Slightly more than a fade, so that the renderer at any sample rate finds the ranges far enough
 * from each other and from the start, and leaves them unchanged.
 */
const FADE_GUARD_SECONDS = FADE_SECONDS * 1.125;

/** A shorter range cannot be cut at the lowest sample rates. */
const MIN_SECONDS = 0.001;

/**
 * Returns the ranges that edits cover, shared by all tracks and the picture: in order, joined where
 * they touch or nearly touch, without those too short to render.
 *
 * @param isExact joins only where they touch, and leaves out none, as a person decided.
 */
export function sharedRanges(edits: readonly TimeRange[], isExact = false): TimeRange[] {
	const [guard, shortest] = isExact ? [0, 0] : [FADE_GUARD_SECONDS, MIN_SECONDS];
	const ranges: TimeRange[] = [];
	for (const edit of edits.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
		const startSeconds = edit.startSeconds < guard ? 0 : edit.startSeconds;
		const { endSeconds } = edit;
		if (endSeconds - startSeconds < shortest) continue;
		const last = ranges.at(-1);
		if (last && startSeconds - last.endSeconds <= 2 * guard) {
			last.endSeconds = Math.max(last.endSeconds, endSeconds);
		} else ranges.push({ startSeconds, endSeconds });
	}
	return ranges;
}

/** Returns the ranges that edits cover on one track, rounded to its frames; see `rangesOf`. */
export function rangesOfTrack(
	edits: readonly TimeRange[],
	{ sampleRateHz, frames }: { sampleRateHz: number; frames: number },
): TimeRange[] {
	return rangesOf(edits, sampleRateHz, frames).map(({ start, end }) => ({
		startSeconds: start / sampleRateHz,
		endSeconds: end / sampleRateHz,
	}));
}

/**
 * Returns the ranges in samples of one track. Rounding each range separately would make tracks of
 * different rates drift apart, so this rounds the running total. At any moment, the removed time differs
 * from the ranges by at most half a sample.
 *
 * @param frames length of the track; cuts after its end are ignored.
 */
export function rangesAtRate(
	ranges: readonly TimeRange[],
	sampleRateHz: number,
	frames: number,
): TimeRange[] {
	const result: TimeRange[] = [];
	let removedSeconds = 0;
	let removedFrames = 0;
	let end = 0;
	for (const { startSeconds, endSeconds } of ranges) {
		removedSeconds += endSeconds - startSeconds;
		const length = Math.round(removedSeconds * sampleRateHz) - removedFrames;
		removedFrames += length;
		const start = Math.max(end, Math.round(startSeconds * sampleRateHz));
		if (start >= frames) break;
		end = Math.min(start + length, frames);
		result.push({ startSeconds: start / sampleRateHz, endSeconds: end / sampleRateHz });
	}
	return result;
}
