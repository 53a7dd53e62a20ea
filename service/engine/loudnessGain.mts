import { integratedLoudness } from './loudness.mts';
import { PROFILE_HOPS_PER_SECOND, type LevelProfile } from './levelProfile.mts';

/** What loudness is wanted. */
export interface LoudnessGoal {
	/** Integrated loudness, LUFS. */
	targetLufs: number;
	/** `mute_lufs`: blocks quieter than this do not count when loudness is measured, LUFS. */
	gateLufs: number;
	/** No true peak exceeds this, dBTP. */
	ceilingDbtp: number;
}

/** More would only bring up the noise of a recording that holds next to nothing, dB. */
const MAXIMUM_GAIN_DB = 50;

/** What the limiter takes is made up for by no more than this: then the ceiling stands in the way. */
const MAXIMUM_MAKE_UP_DB = 20;

/** How fast the limiter may recover, the gentlest first. */
export const RELEASES_SECONDS = [0.08, 0.04, 0.02, 0.01] as const;

/** A gentle limiter that comes so near to the target is taken, in LU. */
const GOOD_ENOUGH_LU = 0.2;

/** The search ends so near, in LU. */
const TOLERANCE_LU = 0.02;

/** Each step halves what is searched through. */
const MAXIMUM_STEPS = 20;

/** How a recording is brought to its loudness. */
export interface LoudnessPlan {
	/** In front of the limiter. */
	gainDb: number;
	/** Time constant of the limiter's recovery. */
	releaseSeconds: number;
	/** The integrated loudness that this comes to, LUFS. */
	reachedLufs: number;
}

/**
 * How a recording is brought to its loudness. What the limiter will take away is reckoned from the
 * profile, so that the recording need not be rendered to know it. A limiter that recovers gently
 * cannot be loud; it recovers faster only as far as the target needs.
 *
 * @returns null when nothing in the recording is loud enough to measure.
 */
export function planLoudness(profile: LevelProfile, goal: LoudnessGoal): LoudnessPlan | null {
	const loudness = integratedLoudness(profile.energies, goal.gateLufs);
	if (loudness === null) return null;
	const plainDb = Math.min(goal.targetLufs - loudness, MAXIMUM_GAIN_DB);
	let best: (LoudnessPlan & { missingLu: number }) | undefined;
	for (const releaseSeconds of RELEASES_SECONDS) {
		const plan = gainWithRelease(profile, goal, plainDb, releaseSeconds);
		if (!best || plan.missingLu < best.missingLu) best = { ...plan, releaseSeconds };
		if (best.missingLu <= GOOD_ENOUGH_LU || plainDb === MAXIMUM_GAIN_DB) break;
	}
	return best ?? null;
}

/** The gain that comes nearest to the target, and how far it stays from it. */
function gainWithRelease(
	profile: LevelProfile,
	goal: LoudnessGoal,
	plainDb: number,
	releaseSeconds: number,
) {
	let low = plainDb;
	let high = Math.min(plainDb + MAXIMUM_MAKE_UP_DB, MAXIMUM_GAIN_DB);
	let best = { gainDb: plainDb, missingLu: Infinity, reachedLufs: goal.targetLufs };
	let gainDb = plainDb;
	for (let step = 0; step < MAXIMUM_STEPS && best.missingLu > TOLERANCE_LU; step++) {
		const reached = loudnessBehindLimiter(profile, { gainDb, releaseSeconds }, goal);
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

/** The loudness that comes out when the limiter works as it does, hop by hop. */
function loudnessBehindLimiter(
	{ energies, peaks }: LevelProfile,
	{ gainDb, releaseSeconds }: Omit<LoudnessPlan, 'reachedLufs'>,
	{ ceilingDbtp, gateLufs }: LoudnessGoal,
): number | null {
	const gain = 10 ** (gainDb / 20);
	const ceiling = 10 ** (ceilingDbtp / 20);
	const releaseStep = 1 - Math.exp(-1 / (releaseSeconds * PROFILE_HOPS_PER_SECOND));
	let released = 1;
	const limited = energies.map((energy, hop) => {
		const wanted = Math.min(1, ceiling / (peaks[hop] * gain));
		released = wanted < released ? wanted : released + (wanted - released) * releaseStep;
		return energy * (gain * released) ** 2;
	});
	return integratedLoudness(limited, gateLufs);
}
