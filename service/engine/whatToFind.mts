import type { EditConfig, LocalSettings } from '../shared/contract.mts';
import type { FeatureNeeds } from './detection/features.mts';

/** By how much noise is lowered at least for the detectors, dB; an edit may say less. */
const USUAL_REDUCTION_DB = 20;

/** True when the configuration asks for anything to be found and taken out. */
export function looksForEdits(config: Required<EditConfig>): boolean {
	const { long_silences, mouth_sounds, breath } = config;
	return looksForSpoken(config) || long_silences || mouth_sounds || breath !== false;
}

/** Whether fillers, hesitations and stutters are looked for, which are told apart. */
export function looksForSpoken({ fillers, hesitations, stutters }: Required<EditConfig>): boolean {
	return fillers || hesitations || stutters;
}

/** Which features of a recording as it came are needed to find what the configuration asks for. */
export function needsOf(config: Required<EditConfig>): FeatureNeeds {
	return { edges: config.mouth_sounds, voices: looksForSpoken(config) };
}

/** Whether the config uses the current noise engine; `studio_sound` includes it. */
export function usesDeepFilter({ remove_noise, studio_sound }: Required<EditConfig>): boolean {
	return remove_noise === true || remove_noise === 'v2' || studio_sound !== false;
}

/** Whether what `remove_noise` leaves is clean enough to find edits in. */
export function isCleanEnough(config: Required<EditConfig>, local: LocalSettings = {}): boolean {
	const { hum_removal: takesHum = true, noise_reduction_db: reductionDb } = local;
	const isUsual = reductionDb === undefined || reductionDb >= USUAL_REDUCTION_DB;
	return takesHum && isUsual && usesDeepFilter(config);
}

/**
 * Whether nothing but silences is to go from a recording's only track, and its noise stays. Then networks listen to the
 * pauses, which takes a fraction of the time of taking the noise away for the detectors.
 */
export function listensToPauses(config: Required<EditConfig>, local?: LocalSettings): boolean {
	const { long_silences: isAsked } = config;
	const isAlone = isAsked && !looksForEdits({ ...config, long_silences: false });
	return isAlone && !isCleanEnough(config, local);
}
