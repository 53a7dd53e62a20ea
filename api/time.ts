import { sleep as hostSleep } from 'n8n-workflow';

/** The clock and the sleep of the house. Everything that waits gets them passed in. */
export interface Time {
	/**
	 * Milliseconds since 1970 by a monotonic clock: it starts at the system time and ignores later changes
	 * to it. Every interval is measured with it.
	 */
	now(): number;
	/** Milliseconds since 1970 by the system clock, for times that other machines or later runs read. */
	timeOfDay(): number;
	/**
	 * Resolves after the given milliseconds, or at once when the signal is aborted. It never rejects:
	 * who sleeps looks at the signal afterwards.
	 */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	/** A number from 0 up to, not including, 1: the jitter of back-offs. */
	random(): number;
}

/** Hosts before n8n 2.31 ignore the signal of `sleep`, so it is looked at this often. */
const SLICE_MS = 500;

async function sleepInSlices(ms: number, signal?: AbortSignal): Promise<void> {
	// A time that is no number would not sleep at all, and a loop around it would stop the whole of n8n.
	const endMs = performance.now() + (Number.isFinite(ms) ? ms : SLICE_MS);
	for (
		let leftMs = endMs - performance.now();
		leftMs > 0 && !signal?.aborted;
		leftMs = endMs - performance.now()
	) {
		try {
			await hostSleep(Math.min(leftMs, SLICE_MS), signal);
		} catch {
			return; // newer hosts reject when the signal is aborted
		}
	}
}

/** Real time. */
export const systemTime: Time = {
	now: () => performance.timeOrigin + performance.now(),
	timeOfDay: () => Date.now(),
	sleep: sleepInSlices,
	random: () => Math.random(),
};
