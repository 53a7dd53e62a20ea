import { sanitizeText } from './sanitizeText';
import { HIDES_NOTHING } from './secrets';

/**
 * The result of a call to the service. Failures are values, not exceptions: the waiting loop, the retry
 * table and the error texts all read the same description of what went wrong.
 */
export type Result<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly failure: RequestFailure };

/** The ways in which a request can fail. */
export type FailureKind =
	/** We refused it before any request: an ID or an address that cannot be right. */
	| 'invalid'
	/** No connection was made, so the service has not seen the request. */
	| 'unreachable'
	/** The connection ended before the response was complete; the service may have acted. */
	| 'broken'
	/** No response within the time limit; the service may have acted. */
	| 'timeout'
	/** The execution was stopped. */
	| 'stopped'
	/** The service answered with a redirect, which we never follow. */
	| 'redirect'
	/** The service answered with an HTTP status of 400 or more. */
	| 'status'
	/** The service answered 2xx with a body that breaks the contract. */
	| 'unreadable'
	/** The file is shorter or longer than announced, so it was not sent whole. */
	| 'wrongSize';

/** A failed request, free of secrets: safe to show, log and store. */
export interface RequestFailure {
	readonly kind: FailureKind;
	/** Method and path, such as `POST /v2/edits`. */
	readonly request: string;
	/**
	 * Where the request went: to the service, with the key, or to a signed URL, which has nothing to do
	 * with the credential. The service, if missing.
	 */
	readonly target?: 'service' | 'link';
	/**
	 * Whether the request may have left this machine. False only if it certainly did not: then a charged
	 * request may be sent again. {@link failed} fills it in.
	 */
	readonly wasSent?: boolean;
	/** The origin of the URL, such as `https://api.example.com`. */
	readonly origin?: string;
	/** HTTP status of the response, if there was one. */
	readonly status?: number;
	/** What the service or the network said, or where a redirect leads; cleaned and cut. */
	readonly said?: string;
	/** The entries of a validation error, each as `field: message`. */
	readonly details?: readonly string[];
	/** How long the service asks us to wait, from its Retry-After header. */
	readonly retryAfterMs?: number;
	/** Whether a person entered what is invalid, in a field or in the credential. */
	readonly isEntered?: boolean;
	/** Whether the body was a web page instead of JSON. */
	readonly isWebPage?: boolean;
	/** Whether the link was new: an earlier one had failed. */
	readonly isFreshLink?: boolean;
	/** The item that met this failure first; this item would meet it too, and was not sent. */
	readonly sameAsItem?: number;
}

/** Which request failed, and where it went. */
export type RequestTarget = Pick<RequestFailure, 'request' | 'origin' | 'target'>;

export function success<T>(value: T): Result<T> {
	return { ok: true, value };
}

/** A failure; it says whether the request was sent. */
export function failed<T>(failure: RequestFailure): Result<T> {
	return { ok: false, failure: { ...failure, wasSent: wasSent(failure) } };
}

/** Whether the request may have left this machine. In doubt, it has. */
export function wasSent({ kind, wasSent: isKnown }: RequestFailure): boolean {
	return isKnown ?? (kind !== 'invalid' && kind !== 'unreachable');
}

/** Redirects that say where to GET what a POST has made; all others ask for the POST elsewhere. */
const SEE_ELSEWHERE_STATUSES: ReadonlySet<number> = new Set([302, 303]);

/**
 * Whether the service may have acted on a failed request: it was sent, and neither refused nor
 * redirected unchanged. Such a submission must not be sent again, because a second one is charged too.
 */
export function mayHaveBeenTaken(failure: RequestFailure): boolean {
	if (!wasSent(failure)) return false;
	const { kind, status = 0 } = failure;
	if (kind === 'redirect') return SEE_ELSEWHERE_STATUSES.has(status);
	return kind !== 'status' || status >= 500 || status === 408;
}

/**
 * Node.js error codes that occur only before a connection is made. Others, such as EHOSTUNREACH and
 * ETIMEDOUT, can also end a connection after a request was sent; for these the system call decides.
 */
const NEVER_CONNECTED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** System calls that come before a connection is made. */
const CONNECTING_CALLS = new Set(['connect', 'getaddrinfo']);

/** What each code means, in words for people who build workflows. */
const MEANING: Record<string, string> = {
	ECONNREFUSED: 'nothing listens at that address',
	ENOTFOUND: 'no host has that name',
	EAI_AGAIN: 'the host name could not be looked up',
	EHOSTUNREACH: 'the host is unreachable from n8n',
	ENETUNREACH: 'the network of that host is unreachable from n8n',
	ETIMEDOUT: 'that host did not respond',
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut while sending',
};

const TIMEOUT_CODES = new Set([
	'ETIMEDOUT',
	'ECONNABORTED',
	'ESOCKETTIMEDOUT',
	'ERR_HTTP_REQUEST_TIMEOUT',
]);

/** An error and its causes, outermost first: n8n and its HTTP client wrap what Node.js threw. */
function* causesOf(error: unknown): Generator<Record<string, unknown>> {
	const seen = new Set<unknown>();
	for (let current = error; isRecord(current) && !seen.has(current); current = current.cause) {
		seen.add(current);
		yield current;
	}
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** The network's error code, wherever n8n's wrapping put it. */
export function codeOf(error: unknown): string {
	for (const { code } of causesOf(error)) if (typeof code === 'string') return code;
	return '';
}

/**
 * Whether no connection was made. A host with several addresses fails with one error for each of them;
 * then all of them must have failed to connect.
 */
function neverConnected(error: unknown): boolean {
	for (const { code, syscall, errors } of causesOf(error)) {
		if (typeof code === 'string' && NEVER_CONNECTED.has(code)) return true;
		if (typeof syscall === 'string') return CONNECTING_CALLS.has(syscall);
		if (Array.isArray(errors) && errors.length > 0) return errors.every(neverConnected);
	}
	return false;
}

/** Describes a request without a response. The original error carries headers, so it is not kept. */
export function networkFailure(
	target: RequestTarget,
	error: unknown,
	signal?: AbortSignal,
	hider = HIDES_NOTHING,
): RequestFailure {
	const code = codeOf(error);
	if (signal?.aborted || code === 'ERR_CANCELED') {
		return { ...target, kind: 'stopped', wasSent: true };
	}
	const message = error instanceof Error ? error.message : String(error);
	const said = sanitizeText(MEANING[code] ?? hider.text(message));
	if (neverConnected(error)) return { ...target, kind: 'unreachable', wasSent: false, said };
	const kind = TIMEOUT_CODES.has(code) ? 'timeout' : 'broken';
	return { ...target, kind, wasSent: true, ...(kind === 'broken' && { said }) };
}
