import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { rateLimitErrorSchema, validationErrorSchema } from './contract';
import type { RequestFailure } from './outcome';
import { parseRetryAfterMs } from './retry';
import { HIDDEN, HIDES_NOTHING, type Hider } from './secrets';
import { isWebPage, shownText } from './text';

/** What was asked, and whom. */
export type Asked = Pick<RequestFailure, 'request' | 'origin' | 'target'>;

/**
 * Error codes of Node.js that occur only before a connection stands. Others, such as EHOSTUNREACH
 * and ETIMEDOUT, also end connections over which a request was sent; they need the system call's name.
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

/** System calls that come before a connection stands. */
const CONNECTING_CALLS = new Set(['connect', 'getaddrinfo']);

/** What each code means to somebody who builds workflows. */
const MEANING: Record<string, string> = {
	ECONNREFUSED: 'nothing listens at that address',
	ENOTFOUND: 'there is no host of that name',
	EAI_AGAIN: 'the host name could not be looked up just now',
	EHOSTUNREACH: 'there is no way to that host',
	ENETUNREACH: 'there is no way to the network of that host',
	ETIMEDOUT: 'that host did not answer',
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut while sending',
};

const TIMEOUT_CODES = new Set([
	'ETIMEDOUT',
	'ECONNABORTED',
	'ESOCKETTIMEDOUT',
	'ERR_HTTP_REQUEST_TIMEOUT',
]);

/** Error bodies of streamed requests are read up to here. */
const ERROR_BODY_BYTES_MAXIMUM = 16_384;

/** Entries of a validation error that are shown; a request may have one for each of a thousand files. */
const DETAILS_AT_MOST = 10;

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** An error and what caused it, from the outside in: n8n and its HTTP client wrap what Node.js said. */
function* causesOf(error: unknown): Generator<Record<string, unknown>> {
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
 * Whether the connection surely never stood. A host with several addresses fails with one error for
 * each try; then every one of them must have ended before its connection stood.
 */
function neverConnected(error: unknown): boolean {
	for (const { code, syscall, errors } of causesOf(error)) {
		if (typeof code === 'string' && NEVER_CONNECTED.has(code)) return true;
		if (typeof syscall === 'string') return CONNECTING_CALLS.has(syscall);
		if (Array.isArray(errors) && errors.length > 0) return errors.every(neverConnected);
	}
	return false;
}

/** Describes a request that got no answer. The original error carries headers, so it is not kept. */
export function networkFailure(
	asked: Asked,
	error: unknown,
	signal?: AbortSignal,
	hider = HIDES_NOTHING,
): RequestFailure {
	const code = codeOf(error);
	if (signal?.aborted || code === 'ERR_CANCELED') {
		return { ...asked, kind: 'stopped', wasSent: true };
	}
	const message = error instanceof Error ? error.message : String(error);
	const said = shownText(MEANING[code] ?? hider.text(message));
	if (neverConnected(error)) return { ...asked, kind: 'unreachable', wasSent: false, said };
	const kind = TIMEOUT_CODES.has(code) ? 'timeout' : 'broken';
	return { ...asked, kind, wasSent: true, ...(kind === 'broken' && { said }) };
}

/** Describes an answer with a status of 300 or more; servers like to quote what they refuse. */
export async function statusFailure(
	asked: Asked,
	response: IN8nHttpFullResponse,
	hider: Hider = HIDES_NOTHING,
): Promise<RequestFailure> {
	const { statusCode: status, headers } = response;
	if (status < 400) {
		return {
			...asked,
			kind: 'redirect',
			wasSent: true,
			status,
			...redirectTarget(headers.location, asked, hider),
		};
	}
	const body = hider.value(await readErrorBody(response.body));
	const retryAfterMs = parseRetryAfterMs(headers['retry-after'], Date.now());
	return { ...asked, kind: 'status', wasSent: true, status, retryAfterMs, ...readBody(body) };
}

/**
 * Where a redirect points to. The path of a link may be secret; the service's own is shown, since the
 * id of an edit may stand in it.
 */
function redirectTarget(
	location: unknown,
	{ origin, target }: Asked,
	hider: Hider,
): Pick<RequestFailure, 'redirectHost' | 'redirectPath'> {
	if (typeof location !== 'string' || !URL.canParse(location, origin)) return {};
	const { host, pathname } = new URL(location, origin);
	// Reading it as a URL writes the host in small letters, in which no secret is found.
	const [, written = ''] = /^\w+:\/\/([^/?#]*)/.exec(location) ?? [];
	const isLink = target === 'link';
	return {
		redirectHost: hider.text(written) === written ? shownText(host) : HIDDEN,
		...(!isLink && { redirectPath: shownText(hider.text(pathname)) }),
	};
}

/** A streamed answer's body is an unread stream, everything else is there already. */
async function readErrorBody(body: unknown): Promise<unknown> {
	if (!isRecord(body) || !(Symbol.asyncIterator in body)) return parseJson(body);
	const chunks: Buffer[] = [];
	let sizeBytes = 0;
	try {
		for await (const chunk of body as AsyncIterable<Buffer>) {
			chunks.push(chunk);
			sizeBytes += chunk.length;
			if (sizeBytes > ERROR_BODY_BYTES_MAXIMUM) break;
		}
	} catch {
		// A body that breaks off still leaves the status, which is what matters.
	}
	return parseJson(Buffer.concat(chunks).toString('utf8'));
}

function parseJson(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}

/** What the service said: the entries of a 422, the message of a 429, `detail`, or plain text. */
function readBody(body: unknown): Partial<RequestFailure> {
	if (typeof body === 'string') {
		return isWebPage(body) ? { isWebPage: true } : { said: shownText(body) || undefined };
	}
	const validation = validationErrorSchema.safeParse(body);
	if (validation.success) {
		const entries = validation.data.detail.slice(0, DETAILS_AT_MOST);
		return { details: entries.map(({ loc, msg }) => detailText(loc, msg)) };
	}
	const rateLimit = rateLimitErrorSchema.safeParse(body);
	if (rateLimit.success) {
		const { code, message } = rateLimit.data.error;
		return { said: shownText(`${code}: ${message}`) };
	}
	const { detail, message } = (isRecord(body) ? body : {}) as IDataObject;
	const text = [detail, message].find((entry) => typeof entry === 'string');
	if (text !== undefined) return { said: shownText(String(text)) };
	// An answer that says no text may still name the edit that it made.
	const hasFields = isRecord(body) && Object.keys(body).length > 0;
	return { said: hasFields ? shownText(JSON.stringify(body)) : undefined };
}

/** `body.input.config.target_lufs` reads as `config.target_lufs`: the wrapper is nobody's field. */
function detailText(loc: ReadonlyArray<string | number>, msg: string): string {
	const wrappers = ['body', 'input'];
	const field = loc.filter((part, index) => index > 1 || !wrappers.includes(String(part)));
	return shownText(`${field.join('.') || 'request'}: ${msg}`);
}
