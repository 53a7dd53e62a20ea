import { z } from 'zod';

import type { LocalSettings } from './contract.mts';
import { MAX_FILLER_SECONDS } from './wordLength.mts';

export const editLimitsSchema = z.object({
	/** A pause from this length on is a long silence. */
	longSilenceSeconds: z.number(),
	/**
	 * What is left of a long silence on each side, more after a word in loud noise: together a natural
	 * pause, and a guard for the soft beginnings and endings of words that sound like noise.
	 */
	keptPauseSeconds: z.number(),
	/** Longer held sounds are no fillers and no hesitations. */
	maxFillerSeconds: z.number(),
	/** Longer breaths stay. */
	maxBreathSeconds: z.number(),
});

/** Limits that the operator may change with flags; the API has no keys for them. */
export type EditLimits = z.infer<typeof editLimitsSchema>;

/** The limits of one edit: what it says itself comes before the operator's flags. */
export function limitsFor(
	{
		silence_min_seconds: longSilenceSeconds,
		silence_kept_seconds: keptSeconds,
	}: LocalSettings | undefined = {},
	limits = DEFAULT_EDIT_LIMITS,
): EditLimits {
	return {
		...limits,
		...(longSilenceSeconds !== undefined && { longSilenceSeconds }),
		...(keptSeconds !== undefined && { keptPauseSeconds: keptSeconds / 2 }),
	};
}

/** Whether what is cut of a long silence is long enough to be heard. */
export function shortensSilences({ longSilenceSeconds, keptPauseSeconds }: EditLimits): boolean {
	return longSilenceSeconds >= 2 * keptPauseSeconds + MIN_CUT_SECONDS;
}

/** The least that is cut from a long silence, in seconds: nobody would hear less. */
export const MIN_CUT_SECONDS = 0.1;

/** The limits that the detectors were measured with. */
export const DEFAULT_EDIT_LIMITS: EditLimits = {
	longSilenceSeconds: 0.9,
	keptPauseSeconds: 0.2,
	maxFillerSeconds: MAX_FILLER_SECONDS,
	maxBreathSeconds: 1.1,
};
