import type { PcmFile } from '../../media/pcmFile.mts';
import { featuresOf, type SignalFeatures } from './features.mts';

/** Takes the features of a recording in this thread; piscina calls it and ends the thread to stop it. */
export default async function work(pcm: PcmFile): Promise<SignalFeatures> {
	return await featuresOf(pcm);
}
