import type { Time } from '../../api/time.ts';

const MINUTE_MS = 60_000;

/** A service's rate limit: a number of requests in any 60 s. */
export class Window {
	/** Requests that were refused. */
	refusals = 0;

	private readonly admittedAtMs: number[] = [];

	constructor(
		private readonly time: Time,
		private readonly perMinute: number,
	) {}

	/** Counts a request, and returns whether it is admitted. */
	admits(): boolean {
		if (this.freeAtMs() > this.time.now()) {
			this.refusals += 1;
			return false;
		}
		this.admittedAtMs.push(this.time.now());
		return true;
	}

	/** When the next request is admitted, in milliseconds. */
	freeAtMs(): number {
		const oldest = this.admittedAtMs.at(-this.perMinute);
		const isFull = this.admittedAtMs.length >= this.perMinute && oldest !== undefined;
		return isFull ? oldest + MINUTE_MS : 0;
	}
}
