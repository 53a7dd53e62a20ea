import { denoiseSegment, type DenoiseTask } from '../denoiseSegment.mts';
import { featuresIn } from '../detection/featureMaker.mts';
import type { SignalFeatures } from '../detection/features.mts';
import type { PcmFile } from '../../media/pcmFile.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';

/** Work on a stretch of a recording that several threads can do side by side. */
export type ThreadTask =
	| ({ kind: 'denoise' } & DenoiseTask)
	| { kind: 'features'; pcm: PcmFile; hops: IndexRange };

/** The features, if these were asked for. */
export type ThreadAnswer = SignalFeatures | null;

/** Does one piece of work in this thread. Piscina calls it, and ends its thread to stop it. */
export default async function work(task: ThreadTask, signal?: AbortSignal): Promise<ThreadAnswer> {
	if (task.kind === 'features') return await featuresIn(task.pcm, task.hops, signal);
	await denoiseSegment(task, signal);
	return null;
}
