import { HOPS_PER_SECOND } from '../signal/levels.mts';
import type { Scene } from './scene.mts';

/** What is a voice or an instrument is this much like itself a period later (of 255). */
const LEAST_VOICING = 125;

/** It is in this share of the pauses, and they stand out from their own floor by so much a quarter of the time, dB. */
const LEAST_VOICED_SHARE = 0.3;
const LEAST_UNREST_DB = 1.2;

/** Looked for in the pauses of so long a time around, every few seconds. */
const REACH_HOPS = 20 * HOPS_PER_SECOND;
const STEP_HOPS = 5 * HOPS_PER_SECOND;
/** Fewer hops of pauses say nothing: then those of the whole recording count. */
const FEWEST_HOPS = 100;

/** Beside a word its echo and its soft beginning are voiced, too, hops. */
const AFTER_WORD_HOPS = 25;
const BEFORE_WORD_HOPS = 5;

/**
 * For every hop, 1 where the background is neither still nor steady noise: music, or people talking.
 * Sounds of a speaker between words cannot be told from it there. Hum is voiced but steady.
 */
export function busyBackground(scene: Scene): Uint8Array {
	const pauses = pausesOf(scene);
	const isBusy = new Uint8Array(scene.hops);
	const isBusyAtAll = isBusyIn(scene, pauses);
	for (let start = 0; start < scene.hops; start += STEP_HOPS) {
		const middle = start + STEP_HOPS / 2;
		const near = pauses.filter((hop) => Math.abs(hop - middle) <= REACH_HOPS);
		const isBusyHere = near.length < FEWEST_HOPS ? isBusyAtAll : isBusyIn(scene, near);
		if (isBusyHere) isBusy.fill(1, start, start + STEP_HOPS);
	}
	return isBusy;
}

/** The hops that are not near words. */
function pausesOf({ hops, isSpeech }: Scene): number[] {
	const pauses: number[] = [];
	let lastSpoken = -Infinity;
	for (let hop = 0; hop < hops; hop++) {
		if (isSpeech[hop]) {
			lastSpoken = hop;
			while (pauses.length > 0 && hop - pauses[pauses.length - 1] < BEFORE_WORD_HOPS) pauses.pop();
		} else if (hop - lastSpoken > AFTER_WORD_HOPS) pauses.push(hop);
	}
	return pauses;
}

function isBusyIn({ raw, rawExcessDb }: Scene, pauses: readonly number[]): boolean {
	if (pauses.length === 0) return false;
	const voiced = pauses.filter((hop) => raw.voicing[hop] >= LEAST_VOICING).length;
	if (voiced < LEAST_VOICED_SHARE * pauses.length) return false;
	const excess = pauses.map((hop) => rawExcessDb[hop]).sort((a, b) => a - b);
	return excess[Math.floor(0.75 * excess.length)] >= LEAST_UNREST_DB;
}
