import type { IndexRange, TimeRange } from '../shared/timeRanges.mts';

/** A stretch of the output: frames of the source, a fade between two places, or silence. */
export type Piece =
	| { kind: 'copy'; start: number; frames: number }
	| { kind: 'fade'; outFrom: number | null; inFrom: number | null; frames: number }
	| { kind: 'silence'; frames: number };

/** Length of the fades at an edit, in seconds: no click, and nothing is heard to fade. */
export const FADE_SECONDS = 0.008;

/** Fade length in frames; even, so that half of it lies on each side of a cut. */
export function fadeFrames(sampleRateHz: number): number {
	return Math.max(2, 2 * Math.round((FADE_SECONDS * sampleRateHz) / 2));
}

/** The fade of a range: shorter for a click that has no room for two whole ones; even. */
function fadeOf({ start, end }: IndexRange, fade: number): number {
	return Math.min(fade, 2 * Math.floor((end - start) / 4));
}

/**
 * The frames to take out: in order, joined where they touch or leave less than two fades between
 * them, stretched to the recording's ends when less than a fade is left there. What is too short for
 * any fade (four frames) is left alone.
 */
export function rangesOf(
	edits: readonly TimeRange[],
	sampleRateHz: number,
	totalFrames: number,
): IndexRange[] {
	const fade = fadeFrames(sampleRateHz);
	const ranges: IndexRange[] = [];
	for (const edit of edits.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
		const start = Math.round(edit.startSeconds * sampleRateHz);
		const end = Math.round(edit.endSeconds * sampleRateHz);
		const range = {
			start: start < fade ? 0 : start,
			end: totalFrames - end < fade ? totalFrames : end,
		};
		if (fadeOf(range, fade) === 0) continue;
		const last = ranges.at(-1);
		if (last && range.start - last.end < 2 * fade) last.end = Math.max(last.end, range.end);
		else ranges.push(range);
	}
	return ranges;
}

/** The output with ranges cut out, shorter by exactly their sum; each join is a cross-fade. */
export function* cutPieces(
	ranges: readonly IndexRange[],
	totalFrames: number,
	fade: number,
): Generator<Piece> {
	let position = 0;
	for (const range of ranges) {
		const { start, end } = range;
		const ownFade = fadeOf(range, fade);
		const isFirst = start === 0;
		const isLast = end === totalFrames;
		// Both sides of a join reach half a fade into what is cut, so that no frame is lost to it.
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

/** The output with ranges silenced, exactly as long as the source; fades lie inside the ranges. */
export function* mutedPieces(
	ranges: readonly IndexRange[],
	totalFrames: number,
	fade: number,
): Generator<Piece> {
	let position = 0;
	for (const range of ranges) {
		const { start, end } = range;
		const ownFade = fadeOf(range, fade);
		yield { kind: 'copy', start: position, frames: start - position };
		yield { kind: 'fade', outFrom: start, inFrom: null, frames: ownFade };
		yield { kind: 'silence', frames: end - start - 2 * ownFade };
		yield { kind: 'fade', outFrom: null, inFrom: end - ownFade, frames: ownFade };
		position = end;
	}
	yield { kind: 'copy', start: position, frames: totalFrames - position };
}
