import type { LocalSettings } from '../shared/contract.mts';
import type { IndexRange, TimeRange } from '../shared/timeRanges.mts';

/** A piece of the output: frames of the source, a fade between two places, or silence between two places. */
export type Piece =
	| { kind: 'copy'; start: number; frames: number }
	| { kind: 'fade'; outFrom: number | null; inFrom: number | null; frames: number }
	| { kind: 'silence'; outFrom: number; inFrom: number; frames: number };

/** Length of the fades at an edit, in seconds: no click, and no audible fade. */
export const FADE_SECONDS = 0.008;

/** The length of the fades of one edit. */
export function fadeSecondsOf(local?: LocalSettings): number {
	return local?.crossfade_ms === undefined ? FADE_SECONDS : local.crossfade_ms / 1_000;
}

/** Fade length in frames; even, so that half lies on each side of a cut. */
export function fadeFrames(sampleRateHz: number, seconds = FADE_SECONDS): number {
	return Math.max(2, 2 * Math.round((seconds * sampleRateHz) / 2));
}

/** The fade length beside sounds of these frames: shorter if two fades take more than half of one; even. */
function fadeBeside(fade: number, ...frames: readonly number[]): number {
	return Math.min(fade, 2 * Math.floor(Math.min(...frames) / 4));
}

/**
 * Returns the frame ranges to remove: in order, joined where less than two fades remain between
 * them, extended to the recording's ends where less than a fade remains. A range too short for any
 * fade (four frames) is ignored.
 *
 * @param isExact removes each frame that an edit covers and no other, as a person decided.
 */
export function rangesOf(
	edits: readonly TimeRange[],
	sampleRateHz: number,
	totalFrames: number,
	isExact = false,
): IndexRange[] {
	const fade = isExact ? 0 : fadeFrames(sampleRateHz);
	const ranges: IndexRange[] = [];
	for (const edit of edits.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
		const start = Math.round(edit.startSeconds * sampleRateHz);
		const end = Math.round(edit.endSeconds * sampleRateHz);
		const range = {
			start: start < fade ? 0 : start,
			end: totalFrames - end < fade ? totalFrames : end,
		};
		if (range.end - range.start < (isExact ? 1 : 4)) continue;
		const last = ranges.at(-1);
		if (last && range.start - last.end < Math.max(1, 2 * fade)) {
			last.end = Math.max(last.end, range.end);
		} else ranges.push(range);
	}
	return ranges;
}

/**
 * Yields the output with ranges cut out, shorter by exactly their sum, with cross-fades. Half of a fade
 * lies in the sound on each side. Beside a short sound, fades are shorter: half of it stays as it is.
 */
export function* cutPieces(
	ranges: readonly IndexRange[],
	totalFrames: number,
	fade: number,
): Generator<Piece> {
	let position = 0;
	// At an end of the recording, a sound has one fade only, and room for one twice as long.
	let framesBefore = 2 * (ranges.at(0)?.start ?? 0);
	for (const [index, { start, end }] of ranges.entries()) {
		const framesAfter = (ranges.at(index + 1)?.start ?? 2 * totalFrames - end) - end;
		const isFirst = start === 0;
		const isLast = end === totalFrames;
		const beside = [framesBefore, framesAfter].filter((frames) => frames > 0);
		const ownFade = fadeBeside(fade, end - start, ...beside);
		framesBefore = framesAfter;
		// Both sides of a join extend half a fade into the cut, so that the fade costs no frames.
		const before = isLast ? ownFade : ownFade / 2;
		const outFrom = isFirst ? null : start - before;
		if (outFrom !== null) yield { kind: 'copy', start: position, frames: outFrom - position };
		const inFrom = isFirst ? end : end - ownFade / 2;
		if (isFirst && isLast) return;
		yield { kind: 'fade', outFrom, inFrom: isLast ? null : inFrom, frames: ownFade };
		position = isLast ? totalFrames : inFrom + ownFade;
	}
	yield { kind: 'copy', start: position, frames: totalFrames - position };
}

/** Yields the output with ranges silenced, as long as the source; fades lie inside the ranges. */
export function* mutedPieces(
	ranges: readonly IndexRange[],
	totalFrames: number,
	fade: number,
): Generator<Piece> {
	let position = 0;
	for (const { start, end } of ranges) {
		const ownFade = fadeBeside(fade, end - start);
		yield { kind: 'copy', start: position, frames: start - position };
		yield { kind: 'fade', outFrom: start, inFrom: null, frames: ownFade };
		yield { kind: 'silence', outFrom: start, inFrom: end, frames: end - start - 2 * ownFade };
		yield { kind: 'fade', outFrom: null, inFrom: end - ownFade, frames: ownFade };
		position = end;
	}
	yield { kind: 'copy', start: position, frames: totalFrames - position };
}
