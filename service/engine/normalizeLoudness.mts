import type { PcmSource } from '../media/pcmFile.mts';
import { profileOf } from './levelProfile.mts';
import { planLoudness, RELEASES_SECONDS, type LoudnessGoal } from './loudnessGain.mts';
import { TruePeakLimiter, type LimiterSettings } from './truePeakLimiter.mts';
import { factorOf } from './signal/levels.mts';

/** The limiter hears so much before the frames that are wanted: by then it has forgotten the rest. */
const WARM_UP_SECONDS = 2;

/** Further from the target than this is worth saying, in LU. */
const WORTH_SAYING_LU = 0.5;

/** Highest true peak of a normalized file, dBTP: -1 with a margin for differences between meters. */
export const CEILING_DBTP = -1.3;

/** The same before a lossy codec, which adds peaks. */
export const CEILING_LOSSY_DBTP = -2;

/** A recording at its loudness. */
export interface LevelledSource extends PcmSource {
	/** About what it comes to, where the target cannot be reached; LUFS. */
	reachedInsteadLufs?: number;
}

/**
 * Brings a recording to a loudness: one gain for all of it, and a limiter for the peaks. It is read
 * once to measure it; gain and limiter work while the result is read. A recording without anything
 * loud enough to measure is left as it is.
 *
 * @throws the signal's reason when aborted.
 */
export async function normalizeLoudness(
	input: PcmSource,
	goal: LoudnessGoal,
	signal?: AbortSignal,
): Promise<LevelledSource> {
	const plan = planLoudness(await profileOf(input, signal), goal);
	if (plan === null) return input;
	const { gainDb, releaseSeconds, reachedLufs } = plan;
	const ceiling = factorOf(goal.ceilingDbtp);
	const levelled = limited(input, { gain: factorOf(gainDb), ceiling, releaseSeconds });
	if (Math.abs(reachedLufs - goal.targetLufs) <= WORTH_SAYING_LU) return levelled;
	return { ...levelled, reachedInsteadLufs: reachedLufs };
}

/** What the log and the page say of recordings that cannot be brought to their target. */
export function loudnessNotes(
	levelled: readonly LevelledSource[],
	targetLufs: number | null,
): string[] {
	return levelled.flatMap(({ reachedInsteadLufs: reached }) => {
		if (reached === undefined || targetLufs === null) return [];
		return [`about ${reached.toFixed(1)} LUFS instead of ${targetLufs}: the peaks leave no room`];
	});
}

/** A recording as it is, but for peaks above a ceiling in dBTP. */
export function heldBelow(input: PcmSource, ceilingDbtp: number): PcmSource {
	const [releaseSeconds] = RELEASES_SECONDS;
	return limited(input, { gain: 1, ceiling: factorOf(ceilingDbtp), releaseSeconds });
}

/** A recording with gain and limiter. */
function limited(input: PcmSource, settings: LimiterSettings): PcmSource {
	const { sampleRateHz, channels, frames } = input;
	return {
		...{ sampleRateHz, channels, frames },
		chunks: (startFrame, endFrame) => limitedChunks(input, settings, startFrame, endFrame),
	};
}

async function* limitedChunks(
	input: PcmSource,
	settings: LimiterSettings,
	startFrame: number,
	endFrame: number,
): AsyncGenerator<Float32Array> {
	const limiter = new TruePeakLimiter(settings, input);
	const from = Math.max(0, startFrame - WARM_UP_SECONDS * input.sampleRateHz);
	const to = Math.min(input.frames, endFrame + limiter.delayFrames);
	let toDrop = (startFrame - from + limiter.delayFrames) * input.channels;
	let toGive = (endFrame - startFrame) * input.channels;
	const wanted = (samples: Float32Array) => {
		const part = samples.subarray(toDrop, Math.min(samples.length, toDrop + toGive));
		toDrop = Math.max(0, toDrop - samples.length);
		toGive -= part.length;
		return part;
	};
	for await (const chunk of input.chunks(from, to)) {
		const part = wanted(limiter.process(chunk));
		if (part.length > 0) yield part;
	}
	if (toGive > 0) yield wanted(limiter.flush());
}
