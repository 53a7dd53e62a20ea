/**
 * What a call to the service came to. Failures are values, not exceptions: the waiting loop, the
 * retry table and the error texts all read the same description of what went wrong.
 */
export type Outcome<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly failure: RequestFailure };

/** The ways in which a request can fail. */
export type FailureKind =
	/** Refused by us before any request: an id or an address that cannot be right. */
	| 'invalid'
	/** No connection was made, so the service has surely not seen the request. */
	| 'unreachable'
	/** The connection ended before the answer was complete; the service may have acted. */
	| 'broken'
	/** No answer within the time limit; the service may have acted. */
	| 'timeout'
	/** The execution was stopped. */
	| 'stopped'
	/** The service answered with a redirect, which is never followed. */
	| 'redirect'
	/** The service answered with an HTTP status of 400 or more. */
	| 'status'
	/** The service answered 2xx with a body that is not what the interface promises. */
	| 'unreadable'
	/** The file to be sent is shorter or longer than was announced, so it was not sent whole. */
	| 'wrongSize';

/** A failed request, free of secrets: safe to show, log and store. */
export interface RequestFailure {
	readonly kind: FailureKind;
	/** What was asked, such as `POST /v2/edits`. */
	readonly request: string;
	/**
	 * Whom it was asked: the service, with the key, or a signed link, which has nothing to do with the
	 * credential. Where it is missing, it was the service.
	 */
	readonly target?: 'service' | 'link';
	/**
	 * Whether the request may have left this machine. False only where it surely did not: then a paid
	 * request may be sent again. {@link failed} fills it in, so it is missing only before that.
	 */
	readonly wasSent?: boolean;
	/** The origin that was asked, such as `https://api.example.com`. */
	readonly origin?: string;
	/** HTTP status of the answer, where there was one. */
	readonly status?: number;
	/** What the service or the network said, cleaned and cut. */
	readonly said?: string;
	/** The entries of a validation error, each as `field: message`. */
	readonly details?: readonly string[];
	/** How long the service asks to wait, from its Retry-After header. */
	readonly retryAfterMs?: number;
	/** Whether the body was a web page instead of JSON. */
	readonly isWebPage?: boolean;
	/** Host a redirect pointed to. */
	readonly redirectHost?: string;
	/** Path the service redirected to, without its query: the id of an edit may stand in it. */
	readonly redirectPath?: string;
	/** Whether the link was asked for a moment ago, after an earlier one had failed. */
	readonly isFreshLink?: boolean;
	/** The item that met this failure; the one at hand would have met it too, and was not tried. */
	readonly sameAsItem?: number;
}

/** A success. */
export function success<T>(value: T): Outcome<T> {
	return { ok: true, value };
}

/** A failure; it says whether the request was sent. */
export function failed<T>(failure: RequestFailure): Outcome<T> {
	return { ok: false, failure: { ...failure, wasSent: wasSent(failure) } };
}

/** Whether the request may have left this machine. In doubt it has. */
export function wasSent({ kind, wasSent: isKnown }: RequestFailure): boolean {
	return isKnown ?? (kind !== 'invalid' && kind !== 'unreachable');
}

/** Redirects that tell where to GET what a POST has made; the others ask for the POST elsewhere. */
const SEE_ELSEWHERE_STATUSES: ReadonlySet<number> = new Set([302, 303]);

/**
 * Whether the service may have acted on a request that failed: it was sent, and neither refused nor
 * sent on elsewhere as it is. A paid request that ended so must not be sent again.
 */
export function mayHaveBeenTaken(failure: RequestFailure): boolean {
	if (!wasSent(failure)) return false;
	const { kind, status = 0 } = failure;
	if (kind === 'redirect') return SEE_ELSEWHERE_STATUSES.has(status);
	return kind !== 'status' || status >= 500 || status === 408;
}
