import type { TimeRange } from '../../shared/timeRanges.mts';

/** Some frames of a recording. */
export interface Place {
	startFrame: number;
	frames: number;
	sampleRateHz: number;
}

/**
 * Share of another signal in each frame, 0 to 1: 1 in some ranges, and less within a fade around them; undefined if
 * it is 0 throughout.
 */
export function sharesIn(
	ranges: readonly TimeRange[],
	{ startFrame, frames, sampleRateHz }: Place,
	fadeSeconds: number,
): Float32Array | undefined {
	const start = startFrame / sampleRateHz - fadeSeconds;
	const end = (startFrame + frames) / sampleRateHz + fadeSeconds;
	const near = ranges.filter((s) => s.startSeconds < end && s.endSeconds > start);
	if (near.length === 0) return undefined;
	const shares = new Float32Array(frames);
	for (let i = 0; i < frames; i++) {
		const seconds = (startFrame + i) / sampleRateHz;
		for (const { startSeconds, endSeconds } of near) {
			const outside = Math.max(startSeconds - seconds, seconds - endSeconds, 0);
			shares[i] = Math.max(shares[i], 1 - outside / fadeSeconds);
		}
	}
	return shares;
}

/** Mixes the other signal in. The signals correlate, so their amplitude shares add up to 1. */
export function crossFade(
	block: Float32Array,
	other: Float32Array,
	shares: Float32Array,
	channels: number,
): void {
	for (let i = 0; i < block.length; i++) {
		block[i] += (other[i] - block[i]) * shares[Math.floor(i / channels)];
	}
}
