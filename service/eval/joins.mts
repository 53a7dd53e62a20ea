import type { TimeRange } from '../shared/timeRanges.mts';
import { lengthOf } from './score.mts';
import { framesOf, RATE_HZ, rms, toDb } from '../../testkit/media/signals.mts';

/** A join this much sharper than all that is near it is heard as a click, dB. */
const CLICK_DB = 6;

/** Half of a cross-fade, and what a service's borders may be off, in seconds. */
const JOIN_SECONDS = 0.015;

/** What is near a join, in seconds on each side. */
const NEAR_SECONDS = 0.05;

const WINDOW_FRAMES = framesOf(0.002);

/** Counts the joins that click: sharper than what is near them, and than both of their sides were before. */
export function joinsOf(source: Float32Array, edited: Float32Array, cuts: readonly TimeRange[]) {
	const [before, after] = [source, edited].map(sharpnessOf);
	const removed = cuts.reduce((sum, cut) => sum + lengthOf(cut), 0);
	// A service's cuts seem shorter than they are, because muted parts fade.
	const unseen = (source.length - edited.length) / RATE_HZ - removed;
	let gone = 0;
	let clicks = 0;
	for (const cut of cuts) {
		const at = cut.startSeconds - gone;
		gone += lengthOf(cut) + unseen / cuts.length;
		const near = Math.max(
			sharpest(after, at - NEAR_SECONDS, at - JOIN_SECONDS),
			sharpest(after, at + JOIN_SECONDS, at + NEAR_SECONDS),
			...[cut.startSeconds, cut.endSeconds].map((border) => {
				return sharpest(before, border - JOIN_SECONDS, border + JOIN_SECONDS);
			}),
		);
		const sharpness = sharpest(after, at - JOIN_SECONDS, at + JOIN_SECONDS);
		if (toDb(sharpness) - toDb(near) > CLICK_DB) clicks++;
	}
	return { joins: cuts.length, clicks };
}

export type Joins = ReturnType<typeof joinsOf>;

/** How much a sound bends in each window of 2 ms: a click is heard by its highs. */
function sharpnessOf(samples: Float32Array): Float32Array {
	const bends = samples.map((sample, i) => {
		return sample - 2 * (samples[i - 1] ?? sample) + (samples[i - 2] ?? sample);
	});
	const windows = Math.floor(samples.length / WINDOW_FRAMES);
	return Float32Array.from({ length: windows }, (_, window) => {
		return rms(bends.subarray(window * WINDOW_FRAMES, (window + 1) * WINDOW_FRAMES));
	});
}

function sharpest(sharpness: Float32Array, fromSeconds: number, toSeconds: number): number {
	const [from, to] = [fromSeconds, toSeconds].map((seconds) =>
		Math.max(0, Math.floor(framesOf(seconds) / WINDOW_FRAMES)),
	);
	return sharpness.subarray(from, to + 1).reduce((most, one) => Math.max(most, one), 1e-6);
}
