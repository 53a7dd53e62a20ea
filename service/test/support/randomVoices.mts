import type { Chance } from '../../../testkit/measure/chance.mts';

/** How many numbers describe a voice here. */
const SIZE = 64;

/** A voice at length 1. */
export function unit(voice: Float32Array): Float32Array {
	const length = Math.hypot(...voice);
	return voice.map((one) => one / length);
}

/** A random voice. */
export function directionOf(chance: Chance): Float32Array {
	return unit(Float32Array.from({ length: SIZE }, () => chance.between(-1, 1)));
}
