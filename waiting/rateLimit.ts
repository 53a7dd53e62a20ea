import { createHash } from 'crypto';

import { RATE_WINDOW_MS, STATUS_CALLS_PER_MINUTE } from '../api/contract';
import type { RequestFailure } from '../api/failure';
import { type Pace, backoffMs } from '../api/retry';
import { countPassing } from '../api/search';
import type { Time } from '../api/time';

/** Our window is this much longer than the service's, because some requests travel faster than others. */
const WINDOW_MARGIN_MS = 1_000;

/** After a 429 we allow this part of our last rate, because another client uses the key, too. */
const FALL_AFTER_REFUSAL = 0.75;

/** We always allow this part of the limit, and add it in each minute without a 429. */
const RECOVERY_STEP = 0.1;

/** What a rate limit allows at most. */
export interface Limits {
	/** Requests in any minute. */
	readonly callsPerMinute: number;
	/** Requests that may begin at once; later ones are spread evenly over the minute. */
	readonly burst: number;
}

/**
 * Says when the next request of one class may begin. It allows a burst, spreads later requests, and
 * never exceeds the limit in any minute, whether the service counts in a sliding or in a fixed window.
 * A 429 although we kept the limit means that another client uses the key. We then allow a quarter less
 * than we used, and add a tenth of the limit each minute.
 *
 * The caller passes the time, in milliseconds of `Time.now`, which never runs backwards.
 */
export class RateLimit {
	/** When the requests of the last window began, oldest first. */
	private readonly begunAtMs: number[] = [];

	private pausedUntilMs = 0;

	/** When the last 429 that counted arrived. */
	private refusedAtMs = -Infinity;

	/** Polls refused one after the other; those that were under way together count once. */
	private refusalsInARow = 0;

	/** Whether one request may begin after the pause, to see whether the service answers again. */
	private mayProbe = false;

	private tokens: number;

	private tokensAtMs = 0;

	private allowedPerMinute: number;

	private allowedSinceMs = 0;

	constructor(private limits: Limits) {
		this.tokens = limits.burst;
		this.allowedPerMinute = limits.callsPerMinute;
	}

	/** Applies limits that a person has changed in the credential. */
	changeLimits(limits: Limits): void {
		const { callsPerMinute, burst } = this.limits;
		if (limits.callsPerMinute === callsPerMinute && limits.burst === burst) return;
		this.limits = limits;
		this.allowedPerMinute = limits.callsPerMinute;
	}

	/** How many requests a minute may begin at this time. */
	callsPerMinuteAt(nowMs: number): number {
		const { callsPerMinute } = this.limits;
		// During the pause after a 429, no minute has passed yet.
		const quietMs = Math.max(0, nowMs - this.allowedSinceMs);
		const quietMinutes = Math.floor(quietMs / RATE_WINDOW_MS);
		const recovered = this.allowedPerMinute + quietMinutes * callsPerMinute * RECOVERY_STEP;
		return Math.max(1, Math.floor(Math.min(callsPerMinute, recovered)));
	}

	/** The earliest time at which a request may begin; not before `nowMs`. */
	nextFreeAtMs(nowMs: number): number {
		this.forget(nowMs);
		const allowed = this.callsPerMinuteAt(nowMs);
		if (this.mayProbe) {
			const limitFreeAtMs = this.windowFreeAtMs(nowMs, this.limits.callsPerMinute);
			return Math.max(limitFreeAtMs, this.pausedUntilMs);
		}
		const windowFreeAtMs = this.windowFreeAtMs(nowMs, allowed);
		const missing = 1 - this.tokensAt(nowMs);
		const tokenMs = Math.ceil((missing * RATE_WINDOW_MS) / allowed);
		return Math.max(windowFreeAtMs, nowMs + tokenMs, this.pausedUntilMs);
	}

	/** Notes that a request begins now. */
	begin(nowMs: number): void {
		this.mayProbe = false;
		this.tokens = this.tokensAt(nowMs) - 1;
		this.tokensAtMs = nowMs;
		this.begunAtMs.push(nowMs);
	}

	/**
	 * Notes a 429: no request begins before `untilMs`, and fewer may begin after it.
	 *
	 * @param begunAtMs when the refused request began
	 */
	refused(nowMs: number, untilMs: number, begunAtMs: number = nowMs): void {
		// The service refuses requests together that were under way together; they count once.
		const isFirst = nowMs >= this.pausedUntilMs && begunAtMs > this.refusedAtMs;
		this.pausedUntilMs = Math.max(this.pausedUntilMs, untilMs);
		if (!isFirst) return;
		this.refusedAtMs = nowMs;
		this.forget(nowMs);
		const used = Math.min(this.begunAtMs.length, this.callsPerMinuteAt(nowMs));
		const floor = this.limits.callsPerMinute * RECOVERY_STEP;
		this.allowedPerMinute = Math.max(floor, used * FALL_AFTER_REFUSAL);
		this.allowedSinceMs = untilMs;
	}

	/**
	 * Notes a poll's 429: all polls pause for at most 1, 2, 4 … s, or as long as Retry-After says. Then one
	 * may begin, and after it as many as the lower rate allows.
	 */
	refusedPoll(failure: RequestFailure, begunAtMs: number, nowMs: number, random: number): void {
		const isNew = begunAtMs > this.refusedAtMs;
		if (!isNew && failure.retryAfterMs === undefined) return;
		if (isNew) this.refusalsInARow += 1;
		this.refused(nowMs, nowMs + backoffMs(failure, this.refusalsInARow, random), begunAtMs);
		this.mayProbe ||= isNew;
	}

	/** Notes that the service has answered a poll. */
	answeredPoll(begunAtMs: number): void {
		if (begunAtMs > this.refusedAtMs) this.refusalsInARow = 0;
	}

	/** When a request may begin so that no minute has more than `allowed`; not before `nowMs`. */
	private windowFreeAtMs(nowMs: number, allowed: number): number {
		const { length } = this.begunAtMs;
		if (length < allowed) return nowMs;
		const freeAtMs = this.begunAtMs[length - allowed] + RATE_WINDOW_MS + WINDOW_MARGIN_MS;
		return Math.max(nowMs, freeAtMs);
	}

	private tokensAt(nowMs: number): number {
		const perMs = this.callsPerMinuteAt(nowMs) / RATE_WINDOW_MS;
		return Math.min(this.limits.burst, this.tokens + (nowMs - this.tokensAtMs) * perMs);
	}

	private forget(nowMs: number): void {
		const horizonMs = nowMs - RATE_WINDOW_MS - WINDOW_MARGIN_MS;
		const { length } = this.begunAtMs;
		this.begunAtMs.splice(
			0,
			countPassing(length, (index) => this.begunAtMs[index] <= horizonMs),
		);
	}
}

/** The two rate limits of an API key (api.md#limits). */
export interface RateLimits {
	/** POST /v2/edits, /v2/noise and /v2/upload together. */
	readonly submissions: RateLimit;
	/** GET /v2/edits/{id}. */
	readonly statusCalls: RateLimit;
}

/** Status calls that may begin at once; later ones are spread over the minute. */
const STATUS_BURST = 60;

/** By a hash of key and host root, so that we do not keep the key itself. */
const limitsByAccess = new Map<string, RateLimits>();

/**
 * Returns the rate limits of an API key, which all nodes and executions of this process share. Other
 * processes, such as the workers of a queue-mode n8n, have their own; each gets its share of the
 * limits, and adapts when the service answers 429.
 *
 * @param root the service's host root as `parseBaseUrl` reads it: people paste it in several forms
 * @param submissionsPerMinute for all processes together: 30 for standard keys, 100 for enterprise keys
 * @param processes how many processes use the key, from 1
 */
export function rateLimitsFor(
	apiKey: string,
	root: string,
	submissionsPerMinute: number,
	processes = 1,
): RateLimits {
	const access = createHash('sha256')
		.update(JSON.stringify([apiKey, root]))
		.digest('hex');
	const submissionLimits = shareOf(submissionsPerMinute, submissionsPerMinute, processes);
	const statusLimits = shareOf(STATUS_CALLS_PER_MINUTE, STATUS_BURST, processes);
	const rateLimits = limitsByAccess.get(access) ?? {
		submissions: new RateLimit(submissionLimits),
		statusCalls: new RateLimit(statusLimits),
	};
	limitsByAccess.set(access, rateLimits);
	rateLimits.submissions.changeLimits(submissionLimits);
	rateLimits.statusCalls.changeLimits(statusLimits);
	return rateLimits;
}

/** The share of a limit for one of the processes, rounded down, at least one request. */
function shareOf(callsPerMinute: number, burst: number, processes: number): Limits {
	const share = (limit: number) => Math.max(1, Math.floor(limit / processes));
	return { callsPerMinute: share(callsPerMinute), burst: share(burst) };
}

/**
 * Returns the pace of a client's requests: each waits until the rate limit allows it, in the order in
 * which they came. Otherwise uploads could keep getting ahead of the edits of files that were uploaded.
 *
 * @param onWait called with the milliseconds when a request has to wait
 */
export function paceOf(
	rateLimit: RateLimit,
	time: Time,
	onWait: (waitMs: number) => void = () => {},
): Pace {
	const waitForTurn = async (signal?: AbortSignal) => {
		for (;;) {
			const nowMs = time.now();
			const freeAtMs = rateLimit.nextFreeAtMs(nowMs);
			if (signal?.aborted) return;
			if (freeAtMs <= nowMs) {
				rateLimit.begin(nowMs);
				return;
			}
			onWait(freeAtMs - nowMs);
			await time.sleep(freeAtMs - nowMs, signal);
		}
	};
	let lastTurn = Promise.resolve();
	return {
		turn: async (signal) => await (lastTurn = lastTurn.then(async () => await waitForTurn(signal))),
		failed: (failure: RequestFailure, retryAtMs: number, begunAtMs: number) => {
			if (failure.status === 429) rateLimit.refused(time.now(), retryAtMs, begunAtMs);
		},
	};
}
