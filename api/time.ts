import { sleep as hostSleep } from 'n8n-workflow';

/** Clock, sleep and chance, passed to everything that waits. */
export interface Time {
	/**
	 * Milliseconds since 1970 by a monotonic clock, for intervals. It starts at the system time and ignores
	 * later changes to it.
	 */
	now(): number;
	/** Milliseconds since 1970 by the system clock, for times that other machines or later runs read. */
	timeOfDay(): number;
	/** Resolves after `ms` or when the signal is aborted; check the signal afterwards. Never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	/** A random number in [0, 1), for the jitter of back-offs. */
	random(): number;
}

/**
 * The reason for which we end a request, a sleep or a limit that is no longer needed. Without one, each abort
 * makes an exception with its stack, which takes more time than anything else that we do for a call.
 */
export const NO_LONGER_NEEDED = new Error('no longer needed');

/** n8n before 2.31 ignores the signal of `sleep`, so we check it this often. */
const SLICE_MS = 500;

async function sleepInSlices(ms: number, signal?: AbortSignal): Promise<void> {
	// NaN would not sleep at all, and a loop around it would freeze n8n.
	const endMs = performance.now() + (Number.isFinite(ms) ? ms : SLICE_MS);
	const leftMs = () => endMs - performance.now();
	try {
		for (let left = leftMs(); left > 0 && !signal?.aborted; left = leftMs()) {
			await hostSleep(Math.min(left, SLICE_MS), signal);
		}
	} catch {
		// n8n from 2.31 on rejects when the signal is aborted.
	}
}

export const systemTime: Time = {
	now: () => performance.timeOrigin + performance.now(),
	timeOfDay: () => Date.now(),
	sleep: sleepInSlices,
	random: () => Math.random(),
};
