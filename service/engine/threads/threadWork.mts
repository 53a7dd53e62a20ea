import { denoiseSegment, type DenoiseTask } from '../denoiseSegment.mts';
import { measureFeatures } from '../detection/featureMaker.mts';
import type { SignalFeatures } from '../detection/features.mts';
import type { PcmFile } from '../../media/pcmFile.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';

/** Work on a stretch of a recording that several threads can do side by side. */
export type ThreadTask =
	| ({ kind: 'denoise' } & DenoiseTask)
	| { kind: 'features'; pcm: PcmFile; hops: IndexRange; features: SignalFeatures };

/** Does one piece of work in this thread. Piscina calls it, and ends its thread to stop it. */
export default async function work(task: ThreadTask, signal?: AbortSignal): Promise<void> {
	if (task.kind === 'denoise') await denoiseSegment(task, signal);
	else await measureFeatures(task.pcm, task.hops, task.features, signal);
}
