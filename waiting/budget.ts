import { RATE_WINDOW_MS } from '../api/contract';

/** The window is kept this much longer than the service's, for requests that travel unevenly. */
const WINDOW_MARGIN_MS = 1_000;

/** After a 429 the allowance falls to this part of what was used: somebody else uses the key too. */
const FALL_AFTER_REFUSAL = 0.75;

/** The allowance never falls under this part of the limit, and rises by it in each quiet minute. */
const RECOVERY_STEP = 0.1;

/** What a budget allows at most. */
export interface BudgetLimits {
	/** Requests in any minute. */
	readonly callsPerMinute: number;
	/** Requests that may begin at once; after them they are spread evenly over the minute. */
	readonly burst: number;
}

/**
 * How many requests of one class may begin. It allows a burst, spreads what comes after it, and never
 * lets more than the limit begin in any minute, whether the service counts in a sliding or in a fixed
 * window. A 429 although we kept the limit means that somebody else uses the key: the allowance then
 * falls by a quarter and recovers by a tenth of the limit a minute.
 *
 * Pure: the time is passed in, in milliseconds of `Time.now`, which never runs backwards.
 */
export class RequestBudget {
	/** When the requests of the last window began, oldest first. */
	private readonly begunAtMs: number[] = [];

	private pausedUntilMs = 0;

	private tokens: number;

	private tokensAtMs = 0;

	private allowance: number;

	private allowanceSetAtMs = 0;

	constructor(private limits: BudgetLimits) {
		this.tokens = limits.burst;
		this.allowance = limits.callsPerMinute;
	}

	/** Takes over limits that a person has changed in the credential. */
	changeLimits(limits: BudgetLimits): void {
		const { callsPerMinute, burst } = this.limits;
		if (limits.callsPerMinute === callsPerMinute && limits.burst === burst) return;
		this.limits = limits;
		this.allowance = limits.callsPerMinute;
	}

	/** Requests a minute that may begin at present. */
	callsPerMinuteAt(nowMs: number): number {
		const { callsPerMinute } = this.limits;
		const quietMinutes = Math.floor((nowMs - this.allowanceSetAtMs) / RATE_WINDOW_MS);
		const recovered = this.allowance + quietMinutes * callsPerMinute * RECOVERY_STEP;
		return Math.max(1, Math.floor(Math.min(callsPerMinute, recovered)));
	}

	/** The earliest time at which a request may begin; not before `nowMs`. */
	nextFreeAtMs(nowMs: number): number {
		this.forget(nowMs);
		const allowed = this.callsPerMinuteAt(nowMs);
		const { length } = this.begunAtMs;
		const windowFreeAtMs =
			length < allowed
				? nowMs
				: this.begunAtMs[length - allowed] + RATE_WINDOW_MS + WINDOW_MARGIN_MS;
		const missing = 1 - this.tokensAt(nowMs);
		const tokenMs = Math.ceil((missing * RATE_WINDOW_MS) / allowed);
		return Math.max(nowMs, windowFreeAtMs, nowMs + tokenMs, this.pausedUntilMs);
	}

	/** Notes that a request begins now. */
	take(nowMs: number): void {
		this.tokens = this.tokensAt(nowMs) - 1;
		this.tokensAtMs = nowMs;
		this.begunAtMs.push(nowMs);
	}

	/** Lets nothing begin before this time: the service or the network is in trouble. */
	pauseUntil(untilMs: number): void {
		this.pausedUntilMs = Math.max(this.pausedUntilMs, untilMs);
	}

	/** Takes in a 429: nothing begins before `untilMs`, and less is allowed from then on. */
	refused(nowMs: number, untilMs: number): void {
		// Requests that were under way together are refused together; they count once.
		const isFirst = nowMs >= this.pausedUntilMs;
		this.pauseUntil(untilMs);
		if (!isFirst) return;
		this.forget(nowMs);
		const used = Math.min(this.begunAtMs.length, this.callsPerMinuteAt(nowMs));
		const floor = this.limits.callsPerMinute * RECOVERY_STEP;
		this.allowance = Math.max(floor, used * FALL_AFTER_REFUSAL);
		this.allowanceSetAtMs = untilMs;
	}

	private tokensAt(nowMs: number): number {
		const perMs = this.callsPerMinuteAt(nowMs) / RATE_WINDOW_MS;
		return Math.min(this.limits.burst, this.tokens + (nowMs - this.tokensAtMs) * perMs);
	}

	private forget(nowMs: number): void {
		const horizonMs = nowMs - RATE_WINDOW_MS - WINDOW_MARGIN_MS;
		let old = 0;
		while (old < this.begunAtMs.length && this.begunAtMs[old] <= horizonMs) old += 1;
		if (old > 0) this.begunAtMs.splice(0, old);
	}
}
