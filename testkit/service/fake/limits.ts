import type { Time } from '../../../api/time';

const MINUTE_MS = 60_000;

/** A rate limit of a service. */
export interface Limit {
	/** Counts a request, and returns whether it is admitted. */
	admits(): boolean;
}

/** A number of requests in any 60 s. */
export class RollingMinute implements Limit {
	private readonly admittedAtMs: number[] = [];

	constructor(
		private readonly time: Pick<Time, 'now'>,
		private readonly perMinute: number,
	) {}

	admits(): boolean {
		if (this.freeAtMs() > this.time.now()) return false;
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

/** A number of requests in each minute of the service's clock, as many services count. */
export class FixedMinute implements Limit {
	private minute = 0;

	private requests = 0;

	constructor(
		private readonly time: Pick<Time, 'now'>,
		private readonly perMinute: number,
	) {}

	admits(): boolean {
		const minute = Math.floor(this.time.now() / MINUTE_MS);
		if (minute !== this.minute) this.requests = 0;
		this.minute = minute;
		this.requests += 1;
		return this.requests <= this.perMinute;
	}
}
