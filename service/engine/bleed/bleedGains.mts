import { runsOf } from '../detection/scene.mts';
import { factorOf } from '../signal/levels.mts';
import type { Heard } from './ownVoices.mts';

/** A microphone is open this long before its own voice, and after it, hops. */
const BEFORE_HOPS = 12;
const AFTER_HOPS = 15;

/** It stays open in shorter pauses of its own voice, hops. */
const MIN_CLOSED_HOPS = 30;

/** It closes within this, and opens within this before it must be open, hops. */
const CLOSING_HOPS = 6;
const OPENING_HOPS = 10;

/** It stays closed in pauses of those who come over, and opens slowly after them, hops. */
const HOLD_HOPS = 60;
const RELEASE_HOPS = 50;

/** It closes this long before somebody comes over, hops. */
const LOOK_AHEAD_HOPS = 8;

/**
 * Returns a factor for every hop of each track: lower where only others are heard in it. Where its own person
 * speaks, answers, laughs or breathes, also at the same time, and next to it, it is 1.
 *
 * @param microphones of one recording.
 * @param reductionDb by how much the others become softer.
 */
export function bleedGains(microphones: readonly Heard[], reductionDb: number): Float32Array[] {
	return microphones.map(({ isOwn, isOther }) => {
		const hops = isOwn.length;
		const isOpen = new Uint8Array(hops);
		for (const { start, end } of runsOf(isOwn, MIN_CLOSED_HOPS)) {
			isOpen.fill(1, Math.max(0, start - BEFORE_HOPS), end + AFTER_HOPS);
		}
		const isClosed = new Uint8Array(hops);
		for (const { start, end } of runsOf(isOther, HOLD_HOPS)) {
			isClosed.fill(1, Math.max(0, start - LOOK_AHEAD_HOPS), end + LOOK_AHEAD_HOPS);
		}
		const depths = Float32Array.from(isClosed, (closed, hop) => Number(closed && !isOpen[hop]));
		slope(depths, isOpen);
		return depths.map((depth) => factorOf(-reductionDb * depth));
	});
}

/** Makes the steps between open and closed slopes, which lie where the microphone need not be open. */
function slope(depths: Float32Array, isOpen: Uint8Array): void {
	const { length } = depths;
	for (let hop = 1; hop < length; hop++) {
		depths[hop] = Math.max(depths[hop], depths[hop - 1] - 1 / RELEASE_HOPS);
	}
	for (let hop = length - 2; hop >= 0; hop--) {
		depths[hop] = Math.max(depths[hop], depths[hop + 1] - 1 / CLOSING_HOPS);
	}
	// No more than the way back to where it must be open allows.
	let allowed = 1;
	for (let hop = length - 1; hop >= 0; hop--) {
		allowed = isOpen[hop] ? 0 : Math.min(1, allowed + 1 / OPENING_HOPS);
		depths[hop] = Math.min(depths[hop], allowed);
	}
	allowed = 1;
	for (let hop = 0; hop < length; hop++) {
		allowed = isOpen[hop] ? 0 : Math.min(1, allowed + 1 / CLOSING_HOPS);
		depths[hop] = Math.min(depths[hop], allowed);
	}
}
