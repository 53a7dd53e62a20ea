import { z } from 'zod';

import type { LocalSettings } from './contract.mts';
import { MAX_FILLER_SECONDS } from './wordLength.mts';

export const editLimitsSchema = z.object({
	/** A pause from this length on is a long silence. */
	longSilenceSeconds: z.number(),
	/** How much is left of a pause of a second, or of the shortest long silence if that is longer. */
	keptPauseSeconds: z.number(),
	/** Longer held sounds are no fillers and no hesitations. */
	maxFillerSeconds: z.number(),
	/** Longer breaths stay. */
	maxBreathSeconds: z.number(),
});

/** Limits that the operator may change with flags; the API has no keys for them. */
export type EditLimits = z.infer<typeof editLimitsSchema>;

/**
 * The limits of one edit: what it says itself comes before the operator's flags. If it says only from which length on
 * pauses become shorter, no more is kept than such a pause can lose.
 */
export function limitsFor(
	{
		silence_min_seconds: longSilenceSeconds,
		silence_kept_seconds: keptSeconds,
	}: LocalSettings | undefined = {},
	limits = DEFAULT_EDIT_LIMITS,
): EditLimits {
	const own = longSilenceSeconds === undefined ? limits : { ...limits, longSilenceSeconds };
	return keptSeconds === undefined ? keptWithin(own) : { ...own, keptPauseSeconds: keptSeconds };
}

/** The same limits with no more kept of the shortest long silence than of the usual one, as a share. */
export function keptWithin(limits: EditLimits): EditLimits {
	const { longSilenceSeconds, keptPauseSeconds } = DEFAULT_EDIT_LIMITS;
	const maxKeptSeconds = (limits.longSilenceSeconds * keptPauseSeconds) / longSilenceSeconds;
	return { ...limits, keptPauseSeconds: Math.min(limits.keptPauseSeconds, maxKeptSeconds) };
}

/** Whether a long silence becomes shorter at all. */
export function shortensSilences({ longSilenceSeconds, keptPauseSeconds }: EditLimits): boolean {
	return longSilenceSeconds > keptPauseSeconds;
}

/** The least that is cut from a long silence, in seconds: a join for less is not worth it. */
export const MIN_CUT_SECONDS = 0.15;

/** How much more is kept of a pause that is 2.7 times as long, as a share of what is kept. */
const GROWTH = 0.2;

/**
 * Returns how much is kept of a pause from `longSilenceSeconds` on: of a longer pause more, though less and less,
 * so that the longest pauses of a talk still are the longest ones.
 */
export function keptSecondsOf(
	pauseSeconds: number,
	{ longSilenceSeconds, keptPauseSeconds }: EditLimits,
): number {
	const knownSeconds = Math.max(1, longSilenceSeconds);
	const kept = keptPauseSeconds * (1 + GROWTH * Math.log(pauseSeconds / knownSeconds));
	return Math.min(pauseSeconds, kept);
}

/**
 * What stays of a long silence on each side at least, in seconds: a guard for the soft beginnings and endings of
 * words that sound like noise.
 */
export function guardSecondsOf({ keptPauseSeconds }: EditLimits): number {
	return Math.min(0.2, keptPauseSeconds / 2);
}

/** The limits that the detectors were measured with. */
export const DEFAULT_EDIT_LIMITS: EditLimits = {
	longSilenceSeconds: 0.9,
	keptPauseSeconds: 0.8,
	maxFillerSeconds: MAX_FILLER_SECONDS,
	maxBreathSeconds: 1.1,
};
