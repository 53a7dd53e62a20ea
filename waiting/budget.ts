import { RATE_WINDOW_MS } from '../api/contract';

/** The window is kept this much longer than the service's, for requests that travel unevenly. */
const WINDOW_MARGIN_MS = 1_000;

/**
 * How many requests of one class may begin, counted over a sliding window. It allows the burst the
 * service allows and never more than the limit in any minute, whether the service counts in a sliding
 * or a fixed window. Pure: the time is passed in, in milliseconds since 1970.
 */
export class RequestBudget {
	/** When the requests of the last window began, oldest first. */
	private readonly begunAtMs: number[] = [];

	private pausedUntilMs = 0;

	constructor(readonly callsPerMinute: number) {}

	/** The earliest time at which a request may begin; not before `nowMs`. */
	nextFreeAtMs(nowMs: number): number {
		this.forget(nowMs);
		const windowFullUntilMs =
			this.begunAtMs.length < this.callsPerMinute
				? nowMs
				: this.begunAtMs[this.begunAtMs.length - this.callsPerMinute] +
					RATE_WINDOW_MS +
					WINDOW_MARGIN_MS;
		return Math.max(nowMs, windowFullUntilMs, this.pausedUntilMs);
	}

	/** Notes that a request begins now. */
	take(nowMs: number): void {
		this.begunAtMs.push(nowMs);
	}

	/** Lets nothing begin before this time: after a 429, every request with the key would be refused. */
	pauseUntil(untilMs: number): void {
		this.pausedUntilMs = Math.max(this.pausedUntilMs, untilMs);
	}

	private forget(nowMs: number): void {
		const horizonMs = nowMs - RATE_WINDOW_MS - WINDOW_MARGIN_MS;
		const kept = this.begunAtMs.findIndex((begunAtMs) => begunAtMs > horizonMs);
		this.begunAtMs.splice(0, kept === -1 ? this.begunAtMs.length : kept);
	}
}
