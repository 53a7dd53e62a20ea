import { integratedLoudness } from './loudness.mts';
import { PROFILE_HOPS_PER_SECOND, type LevelProfile } from './levelProfile.mts';
import { RELEASE_SECONDS } from './truePeakLimiter.mts';

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

/** The search ends so near, in LU. */
const TOLERANCE_LU = 0.02;

/** Each step halves what is searched through. */
const MAXIMUM_STEPS = 20;

/**
 * The gain in front of the limiter that brings a recording to its loudness. What the limiter will
 * take away is reckoned from the profile, so that the recording need not be rendered to know it.
 *
 * @returns dB; null when nothing in the recording is loud enough to measure.
 */
export function gainForLoudness(profile: LevelProfile, goal: LoudnessGoal): number | null {
	const loudness = integratedLoudness(profile.energies, goal.gateLufs);
	if (loudness === null) return null;
	const plainDb = goal.targetLufs - loudness;
	if (plainDb > MAXIMUM_GAIN_DB) return MAXIMUM_GAIN_DB;
	let low = plainDb;
	let high = Math.min(plainDb + MAXIMUM_MAKE_UP_DB, MAXIMUM_GAIN_DB);
	let gainDb = plainDb;
	for (let step = 0; step < MAXIMUM_STEPS; step++) {
		const reached = loudnessBehindLimiter(profile, gainDb, goal);
		const missing = goal.targetLufs - (reached ?? goal.targetLufs);
		if (Math.abs(missing) <= TOLERANCE_LU) break;
		if (missing > 0) low = gainDb;
		else high = gainDb;
		gainDb = (low + high) / 2;
	}
	return gainDb;
}

/** The loudness that comes out when the limiter works as it does, hop by hop. */
function loudnessBehindLimiter(
	{ energies, peaks }: LevelProfile,
	gainDb: number,
	{ ceilingDbtp, gateLufs }: LoudnessGoal,
): number | null {
	const gain = 10 ** (gainDb / 20);
	const ceiling = 10 ** (ceilingDbtp / 20);
	const releaseStep = 1 - Math.exp(-1 / (RELEASE_SECONDS * PROFILE_HOPS_PER_SECOND));
	let released = 1;
	const limited = energies.map((energy, hop) => {
		const wanted = Math.min(1, ceiling / (peaks[hop] * gain));
		released = wanted < released ? wanted : released + (wanted - released) * releaseStep;
		return energy * (gain * released) ** 2;
	});
	return integratedLoudness(limited, gateLufs);
}
