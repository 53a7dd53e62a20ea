import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import {
	type CredentialFields,
	type ServiceContext,
	CREDENTIAL_NAME,
	parseBaseUrl,
	withSignal,
} from './credential';
import { type RequestFailure, type RequestTarget, type Result, failed, success } from './failure';
import { networkFailure, thrownFailure, thrownStatuses } from './networkFailure';
import { MAX_ANSWER_BYTES, MAX_LINK_ANSWER_BYTES, readBody } from './readBody';
import { statusFailure } from './responseBody';
import { MAX_REDIRECTS, redirectOf } from './redirects';
import { type Hider, hiderOf, keyHider, secretsInLink, secretsInLinksOf } from './secrets';
import { type ByteStream, type FileBody, freeChunksEarly, watchSize } from './fileBody';
import { NO_LONGER_NEEDED, systemTime } from './time';
import { CALL_TIMEOUT_MS, parseRetryAfterMs, uploadTimeoutMs } from './retry';

/** A request to the service itself; it carries the key. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Path from the host root with its version, ids already encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** The largest response that is read; 1 MB if missing. */
	maxBytes?: number;
}

/** A file that is being downloaded. */
export interface Download {
	content: ByteStream;
	headers: IDataObject;
	/** Closes the connection, even if not everything was read. */
	close(): void;
}

/**
 * The helper never follows redirects: it would carry the key to the other host, and would keep a whole
 * streamed body in memory for the replay. We read statuses here, because the errors that the helper
 * throws carry the request's headers, and so the key. We read bodies here, because the helper would read
 * them whatever their size.
 */
const EXACT = {
	encoding: 'stream',
	disableFollowRedirect: true,
	returnFullResponse: true,
} as const;

/** The reason with which a request is aborted when its time limit has passed. */
const TIME_IS_UP = Symbol('time is up');

/**
 * The HTTP transport: the only place in the package that calls n8n's HTTP helper. It uses the first
 * item's credential, which n8n authenticates every call with.
 */
export class Transport {
	/** Aborted when the execution is stopped. */
	readonly signal?: AbortSignal;

	/** The API key. HTTP drops white space around a header, so a service echoes the key without it. */
	readonly apiKey: string;

	/** Hides the key in the service's responses. */
	private readonly inResponses: Hider;

	constructor(
		private readonly context: ServiceContext,
		/** Read once for all calls. */
		readonly credential: CredentialFields,
		/** The base URL's scheme, host and port. */
		readonly origin: string,
		/** The origin, with the path prefix of a proxy if there is one. */
		readonly root: string,
		/** Whether calls may come after the run: then n8n evaluates no expressions, such as the credential's. */
		private readonly isForLater: boolean,
	) {
		this.apiKey = credential.apiKey?.trim() ?? '';
		this.inResponses = keyHider(this.apiKey);
		if ('getExecutionCancelSignal' in context) this.signal = context.getExecutionCancelSignal();
	}

	/** Hides the key and the signatures in the request's URLs from quotes of its response. */
	hiderFor({ body }: ServiceRequest): Hider {
		return hiderOf([this.apiKey, ...secretsInLinksOf(body)]);
	}

	/** Calls the service with the key; the value is the parsed body or its text, without the key. */
	async call(sent: ServiceRequest, hider = this.hiderFor(sent)): Promise<Result<unknown>> {
		const { method, path, query: qs, body, maxBytes = MAX_ANSWER_BYTES } = sent;
		const json = body && { 'Content-Type': 'application/json' };
		const request = `${method} ${path}`;
		const target: RequestTarget = { request, origin: this.origin, target: 'service' };
		const options = {
			method,
			url: this.root + path,
			qs,
			headers: { Accept: 'application/json', ...json },
			body: body && JSON.stringify(body),
			timeout: CALL_TIMEOUT_MS,
		};
		const hangUp = new AbortController();
		const receive = ofSuccess(async (response) => {
			// The ID of a new edit may be in what has arrived of a response that breaks off.
			const keepsStart = () =>
				body !== undefined && !hangUp.signal.aborted && !this.signal?.aborted;
			const read = await readBody(response.body, maxBytes, keepsStart);
			if (read.tooMuch === undefined) {
				const value = await this.inResponses.valueInPieces(read.body);
				const { 'retry-after': asked } = response.headers;
				return success(value, parseRetryAfterMs(asked, systemTime.timeOfDay()));
			}
			hangUp.abort(NO_LONGER_NEEDED);
			return failed<unknown>({ ...target, kind: 'tooLarge', said: `it has ${read.tooMuch}` });
		});
		return await this.send(target, options, hider, receive, hangUp);
	}

	/** Streams a file to a signed URL, without the key (api.md#authentication). */
	async put(url: string, file: FileBody): Promise<Result<undefined>> {
		const hangUp = new AbortController();
		const sizeFinding = watchSize(file, hangUp);
		if (!Buffer.isBuffer(file.content)) freeChunksEarly(file.content);
		const options = {
			method: 'PUT',
			url,
			headers: { 'Content-Type': file.contentType, 'Content-Length': file.sizeBytes },
			body: file.content,
			timeout: uploadTimeoutMs(file.sizeBytes),
		} as const;
		const receive = ofSuccess(async ({ body }) => {
			const { tooMuch } = await readBody(body, MAX_LINK_ANSWER_BYTES);
			if (tooMuch !== undefined) hangUp.abort(NO_LONGER_NEEDED);
			return success(undefined);
		});
		const sent = await this.send(linkTarget(options), options, linkHider(url), receive, hangUp);
		const said = sizeFinding();
		if (said !== undefined) {
			return failed({ kind: 'wrongSize', request: 'PUT of the file', target: 'link', said });
		}
		return sent;
	}

	/**
	 * Opens a download link, without the key, and follows redirects, one request for each: n8n checks the address
	 * of each. One time limit for all of them ends when the response begins; the caller limits the reading.
	 */
	async open(firstUrl: string): Promise<Result<Download>> {
		const endsAtMs = systemTime.now() + CALL_TIMEOUT_MS;
		const urls = [firstUrl];
		for (;;) {
			const opened = await this.openLast(urls, endsAtMs - systemTime.now());
			if (!opened.ok) return opened;
			if (typeof opened.value !== 'string') return success(opened.value);
			urls.push(opened.value);
		}
	}

	/** Opens the last URL of a chain of redirects; the value is the next URL, if there is one to follow. */
	private async openLast(
		urls: readonly string[],
		timeoutMs: number,
	): Promise<Result<Download | string>> {
		const [firstUrl] = urls;
		const url = urls[urls.length - 1];
		const hangUp = new AbortController();
		const options = {
			method: 'GET',
			url,
			// We compare the size with Content-Length, so the content must not be compressed.
			headers: { 'Accept-Encoding': 'identity' },
			timeout: Math.max(1, timeoutMs),
		} as const;
		const download = downloadWith(hangUp);
		const receive: Receive<Download | string> = (response) => {
			const { statusCode, headers } = response;
			const next = redirectOf({ url, firstUrl }, statusCode, headers.location);
			if (next === undefined || urls.length > MAX_REDIRECTS) return download(response);
			hangUp.abort(NO_LONGER_NEEDED);
			return Promise.resolve(success(next));
		};
		const hider = hiderOf(urls.flatMap(secretsInLink));
		return await this.send(linkTarget(options), options, hider, receive, hangUp);
	}

	/** Opens a file of the service itself, with the key. It does not follow redirects, which would carry the key along. */
	async openOwn(path: string): Promise<Result<Download>> {
		const request = `GET ${path}`;
		const target: RequestTarget = { request, origin: this.origin, target: 'service' };
		const hangUp = new AbortController();
		const options = {
			method: 'GET',
			url: this.root + path,
			headers: { 'Accept-Encoding': 'identity' },
			timeout: CALL_TIMEOUT_MS,
		} as const;
		const hider = this.hiderFor({ method: 'GET', path });
		return await this.send(target, options, hider, downloadWith(hangUp), hangUp);
	}

	/**
	 * Sends a request, with the key if it goes to the service, and waits at most for the options' time
	 * limit until `receive` has received the response. The helper's own limit ends with the headers.
	 *
	 * @param hangUp ends the request from our side; also aborted when the time limit has passed
	 */
	private async send<T>(
		target: RequestTarget,
		options: LimitedOptions,
		hider: Hider,
		receive: Receive<T>,
		hangUp: AbortController,
	): Promise<Result<T>> {
		const { context, signal } = this;
		if (signal?.aborted) return failed({ ...target, kind: 'stopped', wasSent: false });
		const isOver = new AbortController();
		void systemTime.sleep(options.timeout, isOver.signal).then(() => {
			if (!isOver.signal.aborted) hangUp.abort(TIME_IS_UP);
		});
		// `AbortSignal.any` costs more. A download ends with its reader, who closes it after Stop, too.
		const stop = () => hangUp.abort(signal?.reason);
		signal?.addEventListener('abort', stop);
		const abortSignal = hangUp.signal;
		const ignoreHttpStatusErrors = { ignore: true, except: thrownStatuses(options) } as const;
		const exact = { ...options, ...EXACT, ignoreHttpStatusErrors, abortSignal };
		const end = (failure: RequestFailure) => {
			// An unread streamed response would keep the connection open.
			hangUp.abort(NO_LONGER_NEEDED);
			return failed<T>(failure);
		};
		try {
			const isLink = target.target === 'link';
			const response = (await (isLink || this.isForLater
				? context.helpers.httpRequest(isLink ? exact : this.withKey(exact))
				: context.helpers.httpRequestWithAuthentication.call(
						'getExecutionCancelSignal' in context ? withSignal(context, abortSignal) : context,
						CREDENTIAL_NAME,
						exact,
					))) as IN8nHttpFullResponse;
			const received = receive(response);
			return received ? await received : end(await statusFailure(target, response, hider));
		} catch (error) {
			const isLate = hangUp.signal.reason === TIME_IS_UP && !signal?.aborted;
			if (isLate) return failed(networkFailure(target, { code: 'ETIMEDOUT', cause: error }));
			const answered = await thrownFailure(target, error, hider);
			return end(answered ?? networkFailure(target, error, signal, hider));
		} finally {
			isOver.abort(NO_LONGER_NEEDED);
			signal?.removeEventListener('abort', stop);
		}
	}

	/** The options of a call without n8n's authentication. */
	private withKey(exact: IHttpRequestOptions): IHttpRequestOptions {
		return { ...exact, headers: { ...exact.headers, 'X-API-Key': this.apiKey } };
	}
}

/** Receives a response; undefined for one that is a failure. */
type Receive<T> = (response: IN8nHttpFullResponse) => Promise<Result<T>> | undefined;

/** Receives responses with a status under 300. */
function ofSuccess<T>(receive: (response: IN8nHttpFullResponse) => Promise<Result<T>>): Receive<T> {
	return (response) => (response.statusCode < 300 ? receive(response) : undefined);
}

/** Receives a file; closing it ends the request. */
function downloadWith(hangUp: AbortController): Receive<Download> {
	return ofSuccess(async ({ headers, body }): Promise<Result<Download>> => {
		const content = body as ByteStream;
		freeChunksEarly(content);
		const close = () => {
			// The helper wraps the connection's stream; destroying only the wrapper leaves it open.
			hangUp.abort(NO_LONGER_NEEDED);
			content.destroy();
		};
		return success({ content, headers, close });
	});
}

type LimitedOptions = IHttpRequestOptions & { timeout: number };

/** The path and query of a link may be secret, so only its origin is named. */
function linkTarget({ method, url }: Pick<IHttpRequestOptions, 'method' | 'url'>): RequestTarget {
	return { request: `${method} of the file`, origin: new URL(url).origin, target: 'link' };
}

function linkHider(url: string): Hider {
	return hiderOf(secretsInLink(url));
}

/** Reads the credential of the node. Fails with kind `invalid` if its base URL cannot be used. */
export async function openTransport(
	context: ServiceContext,
	isForLater = false,
): Promise<Result<Transport>> {
	const credential = await context.getCredentials<CredentialFields>(CREDENTIAL_NAME, 0);
	const base = parseBaseUrl(credential.baseUrl);
	if (base.ok) {
		return success(new Transport(context, credential, base.origin, base.root, isForLater));
	}
	const said = `its 'Base URL' ${base.reason}`;
	return failed({ kind: 'invalid', request: 'read the credential', said, isEntered: true });
}
