import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isRecord } from './contract/tolerance';
import { type RequestFailure, type RequestTarget, messageOf } from './failure';
import { statusFailure } from './responseBody';
import { sanitizeText } from './sanitizeText';
import { type Hider, HIDES_NOTHING } from './secrets';

/**
 * Error codes that occur only before a connection is made, for errors that do not show their connection.
 * Others, such as EHOSTUNREACH and ETIMEDOUT, can also end a connection after a request was sent; for these
 * the system call decides.
 */
const NEVER_CONNECTED = new Set(
	[
		'ECONNREFUSED ENOTFOUND EAI_AGAIN ERR_INVALID_URL ERR_TLS_CERT_ALTNAME_INVALID CERT_HAS_EXPIRED',
		'CERT_NOT_YET_VALID DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	].flatMap((codes) => codes.split(' ')),
);

/** System calls that come before a connection is made. */
const CONNECTING_CALLS = new Set(['connect', 'getaddrinfo']);

/** The names of the errors with which n8n refuses an address, before it sends anything. */
const BLOCKED_BY_N8N = /^SsrfBlocked/;

const NO_TLS = 'that address does not speak https; its URL may need to begin with http://';

/** What each code means, in words for people who build workflows. */
const MEANING: Record<string, string> = {
	ECONNREFUSED: 'nothing is listening at that address',
	ENOTFOUND: 'there is no host with that name',
	EAI_AGAIN: 'the host name could not be looked up',
	EHOSTUNREACH: 'the host is unreachable from n8n',
	ENETUNREACH: 'the network of that host is unreachable from n8n',
	ETIMEDOUT: 'that host did not respond',
	ECONNABORTED: 'that host did not respond',
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut while sending',
	ERR_STREAM_PREMATURE_CLOSE: 'the connection closed before the end of the file',
};

/** The same for a connection whose TLS handshake has not succeeded. */
const MEANING_IN_HANDSHAKE: Record<string, string> = {
	EPROTO: NO_TLS,
	ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
	ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
	CERT_HAS_EXPIRED: "the host's certificate has expired",
	CERT_NOT_YET_VALID: "the host's certificate is not valid yet: check the clock of n8n's machine",
};

const TIMEOUT_CODES = new Set(
	'ETIMEDOUT ECONNABORTED ESOCKETTIMEDOUT ERR_HTTP_REQUEST_TIMEOUT'.split(' '),
);

/** An error and its causes, outermost first: n8n and its HTTP client wrap what Node.js threw. */
export function* causesOf(error: unknown): Generator<Record<string, unknown>> {
	const seen = new Set<unknown>();
	for (let current = error; isRecord(current) && !seen.has(current); current = current.cause) {
		seen.add(current);
		yield current;
	}
}

/** The network's error code, wherever n8n's wrapping put it. */
export function codeOf(error: unknown): string {
	for (const { code } of causesOf(error)) if (typeof code === 'string') return code;
	return '';
}

/**
 * Whether the connection of the request shows that nothing was sent: it has none, or its TLS handshake has
 * not succeeded. Nothing else of it says so: `bytesWritten` also counts what waits to be sent, and
 * `connecting` is false again after a failure.
 */
function isUnsent(request: unknown): boolean {
	if (!isRecord(request) || !('socket' in request)) return false;
	const { socket } = request;
	return socket === null || (isRecord(socket) && socket.secureConnecting === true);
}

/**
 * Whether no connection was made, TLS included. A host with several addresses fails with one error for each
 * of them; then all of them must have failed to connect. In doubt, the request was sent.
 */
function neverConnected(error: unknown): boolean {
	for (const { code, errors, name, request, syscall } of causesOf(error)) {
		if (isUnsent(request) || BLOCKED_BY_N8N.test(String(name))) return true;
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
	const wasSent = !neverConnected(error);
	if (signal?.aborted || code === 'ERR_CANCELED') return { ...target, kind: 'stopped', wasSent };
	const meaning = (wasSent ? undefined : MEANING_IN_HANDSHAKE[code]) ?? MEANING[code];
	const said = sanitizeText(meaning ?? hider.text(messageOf(error)));
	if (!wasSent) return { ...target, kind: 'unreachable', wasSent, said };
	const kind = TIMEOUT_CODES.has(code) ? 'timeout' : 'broken';
	return { ...target, kind, wasSent, ...(kind === 'broken' && { said }) };
}

/**
 * The same for a request that is not charged, and whose error does not show its connection: what can only come from a
 * TLS handshake does.
 */
export function uncharged(target: RequestTarget, error: unknown, hider: Hider): RequestFailure {
	const failure = networkFailure(target, error, undefined, hider);
	const said = MEANING_IN_HANDSHAKE[codeOf(error)];
	return said === undefined ? failure : { ...failure, kind: 'unreachable', wasSent: false, said };
}

/** Statuses after which a service may have acted, and which a proxy sends that cannot connect to it. */
const OF_SERVICE_OR_PROXY = [302, 303, 407, 408, 500, 501, 502, 503, 504, 508, 509, 511];

/**
 * The statuses for which n8n's helper is to throw, because only its error shows the connection. A POST may
 * be charged, and so must not count as sent if a proxy did not connect.
 */
export function thrownStatuses({ method, url }: IHttpRequestOptions): number[] {
	return method === 'POST' && /^https:/i.test(url) ? OF_SERVICE_OR_PROXY : [];
}

/**
 * Describes the response in an error that n8n's helper threw for its status; undefined for any other error.
 * A response without TLS is that of a proxy, which did not connect to the host.
 */
export async function thrownFailure(
	target: RequestTarget,
	error: unknown,
	hider: Hider,
): Promise<RequestFailure | undefined> {
	for (const { request, response } of causesOf(error)) {
		if (!isRecord(response) || typeof response.status !== 'number') continue;
		const { data: body, headers, status: statusCode } = response;
		const said = `n8n's proxy answered ${statusCode}`;
		return isWithoutTls(request)
			? { ...target, kind: 'unreachable', wasSent: false, said }
			: await statusFailure(target, { body, headers, statusCode } as IN8nHttpFullResponse, hider);
	}
	return undefined;
}

function isWithoutTls(request: unknown): boolean {
	const socket = isRecord(request) ? request.socket : undefined;
	return isRecord(socket) && socket.encrypted !== true;
}
