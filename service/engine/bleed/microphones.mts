import type { PcmFile } from '../../media/pcmFile.mts';
import type { FeatureNeeds, SignalFeatures } from '../detection/features.mts';
import { featuresOf } from '../recordingFeatures.mts';
import { type Heard, ownVoicesIn } from './ownVoices.mts';

/** One of several microphones: what it recorded, and who is heard in it. */
export interface Microphone extends Heard {
	readonly features: SignalFeatures;
}

/**
 * Listens to several microphones of one recording.
 *
 * @param recordings as they came, 16 kHz; all begin at the same time.
 * @throws the signal's reason when aborted.
 */
export async function hearMicrophones(
	recordings: readonly PcmFile[],
	needs: FeatureNeeds,
	signal?: AbortSignal,
): Promise<Microphone[]> {
	const features: SignalFeatures[] = [];
	for (const recording of recordings) features.push(await featuresOf(recording, needs, signal));
	return ownVoicesIn(features).map((heard, track) => ({ ...heard, features: features[track] }));
}
