import { setTimeout as wait } from 'node:timers/promises';

/** The service's own time, which may run faster than the wall clock so that a week can be watched. */
export interface ServiceClock {
	/** Milliseconds since 1970 on the service's clock. */
	nowMs(): number;
	/** Resolves after so many service milliseconds; rejects with an AbortError when aborted. */
	sleep(serviceMs: number, signal?: AbortSignal): Promise<void>;
	/** How many real milliseconds so many service milliseconds take. */
	realMs(serviceMs: number): number;
}

/**
 * A clock that runs `speed` times as fast as real time, beginning now.
 *
 * It never begins before `notBeforeMs`, the newest time in the storage: an earlier start of the
 * service may have run fast, and its files would otherwise lie in the future and never expire.
 */
export function createServiceClock(speed: number, notBeforeMs = 0): ServiceClock {
	const beganAtRealMs = Date.now();
	const beganAtServiceMs = Math.max(beganAtRealMs, notBeforeMs);
	return {
		nowMs: () => Math.round(beganAtServiceMs + (Date.now() - beganAtRealMs) * speed),
		realMs: (serviceMs) => serviceMs / speed,
		sleep: (serviceMs, signal) => wait(Math.max(0, serviceMs / speed), undefined, { signal }),
	};
}
