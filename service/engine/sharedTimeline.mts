import { FADE_SECONDS, rangesOf } from './timeline.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/**
 * A little more than a fade: at any sample rate the renderer then finds the ranges far enough from
 * each other and from the beginning, and leaves them as they are.
 */
const FADE_GUARD_SECONDS = FADE_SECONDS * 1.125;

/** Shorter than this nothing can be cut at the lowest sample rates. */
const SHORTEST_SECONDS = 0.001;

/**
 * The ranges that edits cover, decided once for all tracks and for the picture: in order, joined
 * where they touch or leave next to nothing between them, without those too short to be rendered.
 */
export function sharedRanges(edits: readonly TimeRange[]): TimeRange[] {
	const ranges: TimeRange[] = [];
	for (const edit of edits.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
		const startSeconds = edit.startSeconds < FADE_GUARD_SECONDS ? 0 : edit.startSeconds;
		const { endSeconds } = edit;
		if (endSeconds - startSeconds < SHORTEST_SECONDS) continue;
		const last = ranges.at(-1);
		if (last && startSeconds - last.endSeconds < 2 * FADE_GUARD_SECONDS) {
			last.endSeconds = Math.max(last.endSeconds, endSeconds);
		} else ranges.push({ startSeconds, endSeconds });
	}
	return ranges;
}

/** The ranges that edits cover on one track, rounded to its frames; see `rangesOf`. */
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
 * The ranges on the samples of one track. Rounding is not left to each range by itself, where it
 * would add up to a drift between tracks of different rates: up to any moment, what is removed from
 * this track differs from what the ranges say by half a sample at most.
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
	for (const { startSeconds, endSeconds } of ranges) {
		removedSeconds += endSeconds - startSeconds;
		const length = Math.round(removedSeconds * sampleRateHz) - removedFrames;
		removedFrames += length;
		const start = Math.round(startSeconds * sampleRateHz);
		if (start >= frames) break;
		const end = Math.min(start + length, frames);
		result.push({ startSeconds: start / sampleRateHz, endSeconds: end / sampleRateHz });
	}
	return result;
}
