import type { PcmSource } from '../../media/pcmFile.mts';
import { profileOf } from './levelProfile.mts';
import { integratedLoudness } from './loudness.mts';
import { planLoudness, RELEASES_SECONDS, type LoudnessGoal } from './loudnessGain.mts';
import { TruePeakLimiter, type LimiterSettings } from './truePeakLimiter.mts';
import { factorOf } from '../signal/levels.mts';
import { speakerGains, type TurnSearch } from './speakerGains.mts';
import { raised, raisedProfile, type TurnGains } from './turnGains.mts';

/** The limiter starts this much early, so that its state at the first frame is settled. */
const WARM_UP_SECONDS = 2;

/** A larger deviation from the target is reported, in LU. */
const WORTH_SAYING_LU = 0.5;

/** Maximum true peak of a normalized file, dBTP, unless the edit says otherwise. */
export const MAX_DBTP = -1;

/** How far the limiter stays below the maximum, dB: meters differ. */
export const METER_MARGIN_DB = 0.3;

/** The same before a lossy codec, which raises peaks. */
export const LOSSY_MARGIN_DB = 1;

/** What normalization is to do. */
export interface NormalizeGoal extends LoudnessGoal {
	/** When given, softer speakers are raised. */
	turns?: TurnSearch | undefined;
	/** How much of that, from 0 to 1; default 1. */
	turnShare?: number | undefined;
}

/** The integrated loudness of edited sound before it is leveled, and what it comes to, in LUFS. */
export interface LoudnessChange {
	beforeLufs: number;
	/** Approximate: the limiter is simulated. */
	afterLufs: number;
}

/** A recording at its target loudness. */
export interface LeveledSource extends PcmSource {
	/** What leveling changed; missing if nothing was to be leveled. */
	loudness?: LoudnessChange;
	/** What kept speakers from becoming as loud as the others. */
	notes?: readonly string[];
}

/**
 * Brings a recording to a target loudness with one constant gain and a limiter for the peaks, and
 * softer speakers nearer to the loudest if asked to. Reads it once to measure it; gains and limiter
 * are applied while the result is read. A recording too quiet to measure is returned unchanged.
 *
 * @throws the signal's reason when aborted.
 */
export async function normalizeLoudness(
	input: PcmSource,
	goal: NormalizeGoal,
	signal?: AbortSignal,
): Promise<LeveledSource> {
	const profile = await profileOf(input, signal);
	const { turns, turnShare = 1 } = goal;
	const isLeveled = turns !== undefined && turnShare > 0;
	const found = isLeveled ? await speakerGains(input, profile, turns, turnShare, signal) : null;
	const factors = found?.factors;
	const plan = planLoudness(factors ? raisedProfile(profile, factors) : profile, goal);
	if (plan === null) return input;
	const { gainDb, releaseSeconds, reachedLufs } = plan;
	const ceiling = factorOf(goal.ceilingDbtp);
	const balanced = factors ? raised(input, factors) : input;
	const leveled = limited(balanced, { gain: factorOf(gainDb), ceiling, releaseSeconds });
	// As it was before softer speakers were raised.
	const beforeLufs = integratedLoudness(profile.energies, goal.gateLufs) ?? goal.targetLufs;
	const loudness = { beforeLufs, afterLufs: reachedLufs };
	return { ...leveled, loudness, notes: (found?.kept ?? []).map(noteOf) };
}

/** Why a speaker stays softer than the others. */
function noteOf({ wantedDb, gainDb }: TurnGains['kept'][number]): string {
	const by = `${gainDb.toFixed(0)} dB instead of ${wantedDb.toFixed(0)} dB`;
	return `a softer speaker was raised by ${by}: more would raise the noise too much`;
}

/** Returns notes for the log and the page on recordings that miss their target. */
export function loudnessNotes(
	leveled: readonly LeveledSource[],
	targetLufs: number | null,
): string[] {
	return leveled.flatMap(({ loudness, notes = [] }) => {
		if (loudness === undefined || targetLufs === null) return [];
		const { afterLufs } = loudness;
		if (Math.abs(afterLufs - targetLufs) <= WORTH_SAYING_LU) return notes;
		return [
			...notes,
			`about ${afterLufs.toFixed(1)} LUFS instead of ${Math.round(10 * targetLufs) / 10}: the peaks leave no room`,
		];
	});
}

/** Limits peaks to a ceiling in dBTP, and changes nothing else. */
export function heldBelow(input: PcmSource, ceilingDbtp: number): PcmSource {
	const [releaseSeconds] = RELEASES_SECONDS;
	return limited(input, { gain: 1, ceiling: factorOf(ceilingDbtp), releaseSeconds });
}

/** Applies gain and limiter to a recording. */
function limited(input: PcmSource, settings: LimiterSettings): PcmSource {
	return { ...input, chunks: (start, end) => limitedChunks(input, settings, start, end) };
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
	let toYield = (endFrame - startFrame) * input.channels;
	const wanted = (samples: Float32Array) => {
		const part = samples.subarray(toDrop, Math.min(samples.length, toDrop + toYield));
		toDrop = Math.max(0, toDrop - samples.length);
		toYield -= part.length;
		return part;
	};
	for await (const chunk of input.chunks(from, to)) {
		const part = wanted(limiter.process(chunk));
		if (part.length > 0) yield part;
	}
	if (toYield > 0) yield wanted(limiter.flush());
}
