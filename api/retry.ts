import { RATE_WINDOW_MS } from './contract';
import type { RequestFailure } from './failure';
import type { Time } from './time';

/**
 * What a request does, and so when it is sent again:
 *
 * | class    | requests                              | sent again after                                          |
 * |----------|---------------------------------------|-----------------------------------------------------------|
 * | `read`   | every GET                             | unreachable, broken, timeout, 408, 425, 429, 5xx          |
 * | `repeat` | DELETE, POST /v2/upload (costs nothing) | the same                                                |
 * | `submit` | POST /v2/edits, POST /v2/noise        | unreachable, 429: the service certainly did not accept the edit |
 */
export type RequestClass = 'read' | 'repeat' | 'submit';

/** Tries of a request whose failure is not about the rate limit. */
const MAX_TRIES = 4;

/** Tries after 429: on average they take two minutes, twice the service's window. */
const MAX_TRIES_RATE_LIMITED = 10;

/**
 * How long requests other than GET are repeated while no connection is made. Upload and Create Edit give
 * a batch up after two items, which should take at most 15 s.
 */
const UNREACHED_REPEATED_MS = 6_000;

const FIRST_BACKOFF_MS = 1_000;

/** The statuses under 500 that may pass. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether this failure may pass: the network, the rate limit or the server. */
export function isTransient({ kind, status = 0 }: RequestFailure): boolean {
	if (kind === 'status') return status >= 500 || TRANSIENT_STATUSES.has(status);
	return kind === 'unreachable' || kind === 'broken' || kind === 'timeout';
}

/** Whether a request of this class may be sent again after this failure, see {@link RequestClass}. */
export function mayRepeat(requestClass: RequestClass, failure: RequestFailure): boolean {
	const isCertainlyNotAccepted = failure.kind === 'unreachable' || failure.status === 429;
	return requestClass === 'submit' ? isCertainlyNotAccepted : isTransient(failure);
}

/**
 * Returns how long to wait before the next try, in milliseconds: the time in Retry-After, or else a
 * random time of at most 1, 2, 4 … s (full jitter). It is never more than the rate window.
 *
 * @param triesSoFar 1 after the first try
 */
export function backoffMs(failure: RequestFailure, triesSoFar: number, random: number): number {
	if (failure.retryAfterMs !== undefined) return Math.min(failure.retryAfterMs, RATE_WINDOW_MS);
	const ceilingMs = Math.min(FIRST_BACKOFF_MS * 2 ** (triesSoFar - 1), RATE_WINDOW_MS);
	return ceilingMs * random;
}

/** The shortest wait that Retry-After can ask for: it counts in whole seconds. */
const MIN_RETRY_AFTER_MS = 1_000;

/**
 * A Retry-After header, seconds or an HTTP date, as milliseconds from now. Undefined for a 0 or a date
 * in the past, which clock skew can produce: retrying at once would only meet the same limit.
 */
export function parseRetryAfterMs(header: unknown, nowMs: number): number | undefined {
	if (typeof header !== 'string' && typeof header !== 'number') return undefined;
	const seconds = Number(header);
	const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(String(header)) - nowMs;
	return waitMs >= MIN_RETRY_AFTER_MS ? waitMs : undefined;
}

/** Paces the requests of one rate limit. */
export interface Pace {
	/** Resolves when a request may begin, or at once when the execution is stopped. */
	turn(signal?: AbortSignal): Promise<void>;
	/** Notes that a request failed, when it is tried again and when it began, in milliseconds since 1970. */
	failed(failure: RequestFailure, retryAtMs: number, begunAtMs: number): void;
}

/** Decides after each try of a request whether and when to try again. */
export class Tries {
	private count = 0;

	/** How long tries without a connection have taken, with the waits after them. */
	private unreachedMs = 0;

	constructor(
		private readonly requestClass: RequestClass,
		private readonly time: Pick<Time, 'random'>,
	) {}

	/** How long to wait before the next try, in milliseconds; undefined where there is none. */
	next(failure: RequestFailure, tookMs: number): number | undefined {
		this.count += 1;
		if (!mayRepeat(this.requestClass, failure)) return undefined;
		const maxTries = failure.status === 429 ? MAX_TRIES_RATE_LIMITED : MAX_TRIES;
		if (this.count >= maxTries) return undefined;
		const waitMs = backoffMs(failure, this.count, this.time.random());
		if (failure.kind !== 'unreachable' || this.requestClass === 'read') return waitMs;
		this.unreachedMs += tookMs + waitMs;
		return this.unreachedMs > UNREACHED_REPEATED_MS ? undefined : waitMs;
	}
}

/** For a call to the service, and for opening a download link. */
export const CALL_TIMEOUT_MS = 60_000;

/** The part of a transfer's timeout that does not depend on its size. */
const TRANSFER_TIMEOUT_BASE_MS = 300_000;

/** Each of these adds a second: 1 Mbit/s is the slowest line we wait for. */
const MIN_TRANSFER_BYTES_PER_SECOND = 125_000;

const TRANSFER_TIMEOUT_UNKNOWN_SIZE_MS = 6 * 3_600_000;

/** A server may announce any size for a download. */
const MAX_DOWNLOAD_TIMEOUT_MS = 24 * 3_600_000;

/** The timeout of sending a file, in milliseconds; it grows with the size. */
export function uploadTimeoutMs(sizeBytes: number): number {
	const seconds = Math.ceil(sizeBytes / MIN_TRANSFER_BYTES_PER_SECOND);
	return TRANSFER_TIMEOUT_BASE_MS + seconds * 1_000;
}

/** The timeout of receiving a file, in milliseconds; it grows with the size if that is known. */
export function downloadTimeoutMs(sizeBytes: number | undefined): number {
	if (sizeBytes === undefined) return TRANSFER_TIMEOUT_UNKNOWN_SIZE_MS;
	return Math.min(uploadTimeoutMs(sizeBytes), MAX_DOWNLOAD_TIMEOUT_MS);
}
