import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** A moment on both of the service's clocks. */
export interface Moment {
	/** Milliseconds since 1970 on the service's clock. */
	nowMs: number;
	/** How long the storage folder has been in use, in service milliseconds; it never jumps. */
	ageMs: number;
}

/** The service's own time, which may run faster than real time, to watch a week pass. */
export interface ServiceClock {
	/** Milliseconds since 1970 on the service's clock. It jumps when the machine's clock is set. */
	nowMs(): number;
	/** Now, on both clocks. */
	moment(): Moment;
	/** Resolves after this many service milliseconds; rejects with an AbortError when aborted. */
	sleep(serviceMs: number, signal?: AbortSignal): Promise<void>;
	/** Real milliseconds since 1970; processes that share a database use its clock. */
	realNowMs(): number;
	/** Converts service milliseconds to real ones. */
	realMs(serviceMs: number): number;
}

/**
 * Creates a clock that runs `speed` times as fast as real time from now on.
 * @param ageMs the storage folder's current age.
 * @param readRealMs returns real milliseconds since 1970; processes that share a database use its clock.
 */
export function createServiceClock(
	speed: number,
	ageMs = 0,
	readRealMs: () => number = Date.now,
): ServiceClock {
	const beganAtMs = readRealMs();
	const beganAtTick = performance.now();
	const nowMs = () => Math.round(beganAtMs + (readRealMs() - beganAtMs) * speed);
	return {
		nowMs,
		realNowMs: readRealMs,
		moment: () => ({
			nowMs: nowMs(),
			ageMs: Math.round(ageMs + (performance.now() - beganAtTick) * speed),
		}),
		realMs: (serviceMs) => serviceMs / speed,
		sleep: (serviceMs, signal) => wait(Math.max(0, serviceMs / speed), undefined, { signal }),
	};
}
