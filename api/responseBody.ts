import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import type { z } from 'zod';

import { rateLimitErrorSchema, validationErrorSchema } from './contract';
import { isNothing, isRecord, parseInPieces } from './contract/tolerance';
import { type RequestFailure, type RequestTarget, type Result, failed, success } from './failure';
import { jsonFault } from './jsonText';
import { inPieces } from './pauses';
import { MAX_ANSWER_BYTES, MAX_LINK_ANSWER_BYTES, readStart } from './readBody';
import { parseRetryAfterMs } from './retry';
import { isWebPage, sanitizeText } from './sanitizeText';
import { HIDDEN, HIDES_NOTHING, type Hider } from './secrets';
import { systemTime } from './time';

/** Entries of a validation error that are shown; a request may have one for each of a thousand files. */
const MAX_DETAILS_SHOWN = 10;

/** What a request was, for reading its response. */
interface Reading<Schema extends z.ZodTypeAny> {
	readonly schema: Schema;
	/** Method and path. */
	readonly request: string;
	/** Hides secrets in what is quoted of the response. */
	readonly hider: Hider;
	/** Whether a response that was cut off is quoted: the ID of a new edit may be in it. */
	readonly quotesCut: boolean;
}

/**
 * The body of a 2xx response as the contract promises it; other responses stay failures. A body that
 * ends in the middle counts as a connection that broke, other text that is not JSON as unreadable.
 */
export async function readResponse<Schema extends z.ZodTypeAny>(
	{ schema, request, hider, quotesCut }: Reading<Schema>,
	response: Result<unknown>,
): Promise<Result<z.output<Schema>>> {
	if (!response.ok) return response;
	const body = response.value;
	const fault = typeof body === 'string' ? jsonFault(body) : undefined;
	if (fault?.isCut) {
		const quoted = quotesCut ? `: ${sanitizeText(hider.text(String(body)))}` : '';
		return failed({ kind: 'broken', request, said: `the response is incomplete${quoted}` });
	}
	if (fault !== undefined) {
		// The parser's reason quotes a part of the text, which could be a part of a secret.
		const shown = jsonFault(hider.text(String(body))) ?? fault;
		const said = `it is not JSON: ${sanitizeText(shown.isCut ? 'it is incomplete' : shown.reason)}`;
		return failed({ kind: 'unreadable', request, isWebPage: false, isJson: false, said });
	}
	const parsed = await parseInPieces(schema, body, inPieces);
	if (parsed.success) return success(parsed.data as z.output<Schema>, response.retryAfterMs);
	// An issue may quote the body and cut it, so we look for it again in a body without secrets.
	const shown = await parseInPieces(schema, await hider.valueInPieces(body), inPieces);
	const isPage = typeof body === 'string' && isWebPage(body);
	const said = hider.text(issueText(shown.success ? parsed.error : shown.error));
	const mayShow = !isPage || quotesCut;
	const isJson = typeof body === 'string' && { isJson: false as const };
	return failed({
		kind: 'unreadable',
		request,
		isWebPage: isPage,
		...isJson,
		...(mayShow && { said }),
	});
}

/** Zod's issues as `field: message`, without the request's wrapper. */
export function issueText(error: z.ZodError): string {
	return error.issues
		.map(({ path, message }) => {
			const field = (path[0] === 'input' ? path.slice(1) : path).join('.');
			return field ? `'${field}': ${message}` : message;
		})
		.join('; ');
}

/** Describes a response with a status of 300 or more, without the secrets that servers may quote. */
export async function statusFailure(
	target: RequestTarget,
	response: IN8nHttpFullResponse,
	hider: Hider = HIDES_NOTHING,
): Promise<RequestFailure> {
	const { statusCode: status, headers } = response;
	if (status < 400) {
		const said = redirectTarget(headers.location, target, hider);
		return { ...target, kind: 'redirect', wasSent: true, status, said };
	}
	const isLink = target.target === 'link';
	const maxBytes = isLink ? MAX_LINK_ANSWER_BYTES : MAX_ANSWER_BYTES;
	// The status is what matters, even if the body breaks off or is too large.
	const body = hider.value(await readStart(response.body, maxBytes));
	const retryAfterMs = parseRetryAfterMs(headers['retry-after'], systemTime.timeOfDay());
	const isText = !isLink && typeof body === 'string';
	const isJson = isText && { isJson: false as const };
	return {
		...target,
		kind: 'status',
		wasSent: true,
		status,
		retryAfterMs,
		...errorTextOf(body),
		...isJson,
	};
}

/**
 * Where a redirect points to. The path of a link may be secret; the service's own path is kept, because
 * it may contain the ID of an edit.
 */
function redirectTarget(location: unknown, { origin, target }: RequestTarget, hider: Hider) {
	if (typeof location !== 'string' || !URL.canParse(location, origin)) return undefined;
	const { host, pathname } = new URL(location, origin);
	// URL writes the host in small letters, which would hide a secret from the search.
	const [, written = ''] = /^\w+:\/\/([^/?#]*)/.exec(location) ?? [];
	const shown = hider.text(written) === written ? sanitizeText(host) : HIDDEN;
	return target === 'link' ? shown : shown + sanitizeText(hider.text(pathname));
}

/** What the service said: the entries of a 422, the message of a 429, `detail`, or plain text. */
function errorTextOf(body: unknown): Partial<RequestFailure> {
	if (typeof body === 'string') {
		return isWebPage(body) ? { isWebPage: true } : { said: sanitizeText(body) || undefined };
	}
	const validation = validationErrorSchema.safeParse(body);
	if (validation.success) {
		const entries = validation.data.detail.slice(0, MAX_DETAILS_SHOWN);
		return { details: entries.map(({ loc, msg }) => detailText(loc, msg)) };
	}
	const rateLimit = rateLimitErrorSchema.safeParse(body);
	if (rateLimit.success) {
		const { code, message } = rateLimit.data.error;
		return { said: sanitizeText(`${code}: ${message}`) };
	}
	const { detail, message } = (isRecord(body) ? body : {}) as IDataObject;
	const text = [detail, message].find((entry) => typeof entry === 'string');
	if (text !== undefined) return { said: sanitizeText(String(text)) };
	// A body without a text may still name the edit that it made.
	const hasFields = typeof body === 'object' && !isNothing(body);
	return { said: hasFields ? sanitizeText(JSON.stringify(body)) : undefined };
}

/** Turns `body.input.config.target_lufs` into `config.target_lufs`, the field that people know. */
function detailText(loc: ReadonlyArray<string | number>, msg: string): string {
	const wrappers = ['body', 'input'];
	const field = loc.filter((part, index) => index > 1 || !wrappers.includes(String(part)));
	return sanitizeText(`${field.join('.') || 'request'}: ${msg}`);
}
