import { denoiseSegment, type DenoiseTask } from './denoiseSegment.mts';

/** Denoises one stretch in this thread; piscina calls it and ends the thread to stop it. */
export default async function work(task: DenoiseTask): Promise<void> {
	await denoiseSegment(task);
}
