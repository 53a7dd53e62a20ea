import type { FastifyRateLimitStore } from '@fastify/rate-limit';

import type { ServiceClock } from '../../shared/clock.mts';

/** The requests of one key in its current window. */
interface Window {
	readonly endsAtMs: number;
	count: number;
}

/** Returns the store for `@fastify/rate-limit` that counts by this clock. */
export function requestCountsOn(clock: ServiceClock): new () => FastifyRateLimitStore {
	return class extends RequestCounts {
		constructor() {
			super(clock);
		}
	};
}

/**
 * Counts the requests of each key in this process, by the age of the storage, in real milliseconds. The usual store goes
 * by the machine's clock: set back by a day, it would refuse requests for a day.
 */
class RequestCounts implements FastifyRateLimitStore {
	/** Few: only accepted keys are counted. */
	private readonly windows = new Map<string, Window>();

	constructor(private readonly clock: ServiceClock) {}

	incr(
		key: string,
		callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
		windowMs: number,
	): void {
		const nowMs = this.clock.realMs(this.clock.moment().ageMs);
		const known = this.windows.get(key);
		const isNew = known === undefined || known.endsAtMs <= nowMs;
		const window = isNew ? { endsAtMs: nowMs + windowMs, count: 0 } : known;
		window.count += 1;
		this.windows.set(key, window);
		callback(null, { current: window.count, ttl: window.endsAtMs - nowMs });
	}

	child(): RequestCounts {
		return new RequestCounts(this.clock);
	}
}
