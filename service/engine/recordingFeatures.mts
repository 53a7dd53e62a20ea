import { type FeatureNeeds, newFeatures, type SignalFeatures } from './detection/features.mts';
import { HOP_FRAMES } from './signal/levels.mts';
import { inThreads, THREADS } from './threads/engineThreads.mts';
import type { PcmFile } from '../media/pcmFile.mts';

/** A shorter stretch is not worth its lead-in: a minute, or half where no voice detector has to adapt. */
const MIN_STRETCH_HOPS = 6_000;
const MIN_SHORT_STRETCH_HOPS = 3_000;

/** So many stretches for each thread keep all busy to the end, whatever else they do. */
const STRETCHES_OF_THREAD = 2;

/** What detectors other than those of stutters and mouth sounds need. */
export const USUAL_FEATURES: FeatureNeeds = { edges: false, voices: false };

/**
 * Takes the features of a recording at 16 kHz, on all cores.
 *
 * @throws the signal's reason when aborted.
 */
export async function featuresOf(
	pcm: PcmFile,
	needs: FeatureNeeds,
	signal?: AbortSignal,
): Promise<SignalFeatures> {
	const hops = Math.ceil(pcm.frames / HOP_FRAMES);
	const least = needs.voices ? MIN_STRETCH_HOPS : MIN_SHORT_STRETCH_HOPS;
	const most = STRETCHES_OF_THREAD * THREADS;
	const stretches = Math.max(1, Math.min(most, Math.floor(hops / least)));
	// Even, because voicing is measured in every second hop.
	const length = 2 * Math.ceil(hops / stretches / 2);
	const features = newFeatures(hops);
	const tasks = Array.from({ length: stretches }, (_, index) => {
		const range = { start: index * length, end: Math.min(hops, (index + 1) * length) };
		return { kind: 'features' as const, pcm, hops: range, needs, features };
	});
	await inThreads(tasks, signal);
	return features;
}
