import { decoded } from '../../../testkit/media/decoded.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';

/** Sounds are looked for at this rate: 0.125 ms. */
const SEARCH_RATE_HZ = 8_000;
const STEP = RATE_HZ / SEARCH_RATE_HZ;

/** How far from where it should be a sound is looked for, and how much of it, in seconds. */
const REACH_SECONDS = 1;
const LENGTH_SECONDS = 1;

/** What is less alike is another sound. */
const MIN_ALIKE = 0.6;

/** Returns every sixth sample of a sound without what these cannot hold. */
export function forSearch(samples: Float32Array): Float32Array {
	const result = new Float32Array(Math.floor(samples.length / STEP));
	for (let i = 0; i < result.length; i++) {
		let sum = 0;
		for (let k = 0; k < STEP; k++) sum += samples[i * STEP + k];
		result[i] = sum / STEP;
	}
	return result;
}

/** Decodes a file for a search. */
export async function searchable(args: readonly string[]): Promise<Float32Array> {
	return forSearch(await decoded(args));
}

/**
 * Returns when a stretch of one sound is heard in another, by cross-correlation near where it should be; undefined if
 * nothing alike is there.
 */
export function heardAt(
	sound: Float32Array,
	startSeconds: number,
	where: Float32Array,
	expectedSeconds: number,
	lengthSeconds = LENGTH_SECONDS,
): number | undefined {
	const start = Math.round(startSeconds * SEARCH_RATE_HZ);
	const wanted = sound.subarray(start, start + Math.round(lengthSeconds * SEARCH_RATE_HZ));
	const first = Math.max(0, Math.round((expectedSeconds - REACH_SECONDS) * SEARCH_RATE_HZ));
	const last = Math.min(
		where.length - wanted.length,
		Math.round((expectedSeconds + REACH_SECONDS) * SEARCH_RATE_HZ),
	);
	let [best, at] = [MIN_ALIKE, -1];
	const own = Math.sqrt(wanted.reduce((sum, one) => sum + one * one, 0));
	for (let place = first; place <= last; place++) {
		let [product, energy] = [0, 1e-9];
		for (let i = 0; i < wanted.length; i++) {
			const other = where[place + i];
			product += wanted[i] * other;
			energy += other * other;
		}
		const alike = product / (own * Math.sqrt(energy));
		if (alike > best) [best, at] = [alike, place];
	}
	return at < 0 ? undefined : at / SEARCH_RATE_HZ;
}
