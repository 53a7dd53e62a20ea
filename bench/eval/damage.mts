import { lengthOf } from './score.mts';
import { framesOf, fromDb, rms } from './signals.mts';
import type { TimeRange } from '../../service/shared/timeRanges.mts';

/** Speech is what is no more than this below its mean, dB: soft endings count, its pauses do not. */
const DEPTH_DB = 35;

const HOP_SECONDS = 0.01;

/** How much real speech there was and how much of it was cut away, seconds. */
export interface Damage {
	speechSeconds: number;
	lostSeconds: number;
}

/** @param speech what was really said, without fillers, noise and anything else. */
export function damageTo(speech: Float32Array, cuts: readonly TimeRange[]): Damage {
	const length = framesOf(HOP_SECONDS);
	const levels: number[] = [];
	for (let i = 0; i + length <= speech.length; i += length) {
		levels.push(rms(speech.subarray(i, i + length)));
	}
	const spoken = levels.filter((level) => level > 1e-4);
	const energy = spoken.reduce((sum, level) => sum + level * level, 0);
	const limit = Math.sqrt(energy / Math.max(1, spoken.length)) * fromDb(-DEPTH_DB);
	const isCut = new Uint8Array(levels.length);
	for (const { startSeconds, endSeconds } of cuts.filter((cut) => lengthOf(cut) > 0)) {
		isCut.fill(1, Math.round(startSeconds / HOP_SECONDS), Math.round(endSeconds / HOP_SECONDS));
	}
	const isSpeech = (level: number) => level > limit;
	return {
		speechSeconds: levels.filter(isSpeech).length * HOP_SECONDS,
		lostSeconds:
			levels.filter((level, hop) => isSpeech(level) && isCut[hop] === 1).length * HOP_SECONDS,
	};
}

/** The share of speech that was lost, in percent. */
export function lostPercent(damages: readonly Damage[]): number {
	const lost = damages.reduce((sum, { lostSeconds }) => sum + lostSeconds, 0);
	const all = damages.reduce((sum, { speechSeconds }) => sum + speechSeconds, 0);
	return (100 * lost) / Math.max(all, HOP_SECONDS);
}
