import type { EditConfig, LocalSettings } from './contract.mts';

/** By how much noise is lowered unless an edit says otherwise, and for the detectors, dB. */
export const USUAL_REDUCTION_DB = 20;

/** The same with `studio_sound`, which lowers pauses anyway. */
const STUDIO_DB = 30;

/**
 * Returns by no more than how much the current noise engine lowers the noise of an edit, in dB. 0 if it is off; the
 * previous engine has no such limit.
 */
export function noiseReductionDb(
	{ remove_noise: removal, studio_sound: studio }: Required<EditConfig>,
	{ noise_reduction_db: wished }: LocalSettings,
): number {
	if (studio !== false) return wished ?? STUDIO_DB;
	return removal === true || removal === 'v2' ? (wished ?? USUAL_REDUCTION_DB) : 0;
}
