/**
 * The result of a call to the service. Failures are values, not exceptions: the waiting loop, the retry
 * table and the error texts all read the same description of what went wrong.
 */
export type Result<T> =
	| {
			readonly ok: true;
			readonly value: T;
			/** How long the service asks us to wait before the next request, from its Retry-After header. */
			readonly retryAfterMs?: number;
	  }
	| { readonly ok: false; readonly failure: RequestFailure };

/** The ways in which a request can fail. */
export type FailureKind =
	/** We refused it before any request: an ID or an address that cannot be right. */
	| 'invalid'
	/** No connection was made, TLS included, so the service has not seen the request. */
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
	/** The service answered 2xx with more than we read; it may have acted. */
	| 'tooLarge'
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
	/** False if the service sends JSON, but this was something else: a page or a text of what is in between. */
	readonly isJson?: false;
	/** Whether the link was new: an earlier one had failed. */
	readonly isFreshLink?: boolean;
	/** The item that met this failure first; this item would meet it too, and was not sent. */
	readonly sameAsItem?: number;
}

/** Which request failed, and where it went. */
export type RequestTarget = Pick<RequestFailure, 'request' | 'origin' | 'target'>;

export function success<T>(value: T, retryAfterMs?: number): Result<T> {
	return { ok: true, value, ...(retryAfterMs !== undefined && { retryAfterMs }) };
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
export function mayHaveBeenAccepted(failure: RequestFailure): boolean {
	if (!wasSent(failure)) return false;
	const { kind, status = 0 } = failure;
	if (kind === 'redirect') return SEE_ELSEWHERE_STATUSES.has(status);
	return kind !== 'status' || status >= 500 || status === 408;
}

/** What an error says. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
