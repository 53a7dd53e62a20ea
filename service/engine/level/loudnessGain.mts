import { integratedLoudness } from './loudness.mts';
import { HOPS_PER_SECOND } from '../signal/levels.mts';
import type { LevelProfile } from './levelProfile.mts';

/** The loudness to reach. */
export interface LoudnessGoal {
	/** Integrated loudness, LUFS. */
	targetLufs: number;
	/** `mute_lufs`: blocks below this are not measured, in LUFS. */
	gateLufs: number;
	/** Maximum true peak, dBTP. */
	ceilingDbtp: number;
}

/** Maximum gain, dB. More would only raise the noise of a nearly empty recording. */
const MAX_GAIN_DB = 50;

/** Maximum gain to make up for the limiter, dB. Beyond it, the ceiling prevents the target. */
const MAX_MAKE_UP_DB = 20;

/** Release times to try, gentlest first. */
export const RELEASES_SECONDS = [0.08, 0.04, 0.02, 0.01] as const;

/** A release this close to the target is accepted, in LU. */
const GOOD_ENOUGH_LU = 0.2;

/** The search stops this close to the target, in LU. */
const TOLERANCE_LU = 0.02;

/** Maximum steps of the binary search. */
const MAX_STEPS = 20;

/** How to reach the target loudness. */
export interface LoudnessPlan {
	/** Gain before the limiter. */
	gainDb: number;
	/** Time constant of the limiter's release. */
	releaseSeconds: number;
	/** The resulting integrated loudness, LUFS. */
	reachedLufs: number;
}

/**
 * Plans how to reach the target loudness. Estimates the limiter's effect from the profile, so that
 * the recording need not be rendered. A gentle release cannot be loud, so the release is only as
 * fast as the target needs.
 *
 * @returns null when nothing in the recording is loud enough to measure.
 */
export function planLoudness(profile: LevelProfile, goal: LoudnessGoal): LoudnessPlan | null {
	const loudness = integratedLoudness(profile.energies, goal.gateLufs);
	if (loudness === null) return null;
	const plainDb = Math.min(goal.targetLufs - loudness, MAX_GAIN_DB);
	let best: (LoudnessPlan & { missingLu: number }) | undefined;
	for (const releaseSeconds of RELEASES_SECONDS) {
		const plan = gainWithRelease(profile, goal, plainDb, releaseSeconds);
		if (!best || plan.missingLu < best.missingLu) best = { ...plan, releaseSeconds };
		if (best.missingLu <= GOOD_ENOUGH_LU || plainDb === MAX_GAIN_DB) break;
	}
	return best ?? null;
}

/** Finds the gain closest to the target, and how far it misses it. */
function gainWithRelease(
	profile: LevelProfile,
	goal: LoudnessGoal,
	plainDb: number,
	releaseSeconds: number,
) {
	let low = plainDb;
	let high = Math.min(plainDb + MAX_MAKE_UP_DB, MAX_GAIN_DB);
	let best = { gainDb: plainDb, missingLu: Infinity, reachedLufs: goal.targetLufs };
	let gainDb = plainDb;
	for (let step = 0; step < MAX_STEPS && best.missingLu > TOLERANCE_LU; step++) {
		const reached = loudnessAfterLimiter(profile, { gainDb, releaseSeconds }, goal);
		const missing = goal.targetLufs - (reached ?? goal.targetLufs);
		if (Math.abs(missing) < best.missingLu) {
			best = { gainDb, missingLu: Math.abs(missing), reachedLufs: goal.targetLufs - missing };
		}
		if (missing > 0) low = gainDb;
		else high = gainDb;
		gainDb = (low + high) / 2;
	}
	return best;
}

/** The loudness after the limiter, which is simulated hop by hop. */
function loudnessAfterLimiter(
	{ energies, peaks }: LevelProfile,
	{ gainDb, releaseSeconds }: Pick<LoudnessPlan, 'gainDb' | 'releaseSeconds'>,
	{ ceilingDbtp, gateLufs }: LoudnessGoal,
): number | null {
	const gain = 10 ** (gainDb / 20);
	const ceiling = 10 ** (ceilingDbtp / 20);
	const releaseStep = 1 - Math.exp(-1 / (releaseSeconds * HOPS_PER_SECOND));
	let released = 1;
	const limited = energies.map((energy, hop) => {
		const wanted = Math.min(1, ceiling / (peaks[hop] * gain));
		released = wanted < released ? wanted : released + (wanted - released) * releaseStep;
		return energy * (gain * released) ** 2;
	});
	return integratedLoudness(limited, gateLufs);
}
