import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { CREDENTIAL_NAME, parseBaseUrl } from './credential';
import { type RequestTarget, type Result, failed, networkFailure, success } from './failure';
import { statusFailure } from './responseBody';
import { type Hider, hiderOf, keyHider, secretsInLink, secretsInLinksOf } from './secrets';
import { type ByteStream, type FileBody, watchSize } from './fileBody';
import { CALL_TIMEOUT_MS, uploadTimeoutMs } from './timeLimits';

/** The credential's fields that say where the service is and who asks. */
interface AccessFields {
	baseUrl: string;
	apiKey?: string;
}

/** The n8n contexts from which the service is called. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A request to the service itself; it carries the key. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'DELETE';
	/** Path from the host root with its version, ids already encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
}

/** A file on its way from a download link. */
export interface Download {
	content: ByteStream;
	headers: IDataObject;
	/** Ends the connection, whether or not everything was read. */
	close(): void;
}

/**
 * Never follow redirects: n8n's helper would carry the key to the other host, and would keep a whole
 * streamed body in memory for the replay. Statuses are looked at here, not thrown by the helper,
 * whose errors carry the request's headers and so the key.
 */
const EXACT = {
	disableFollowRedirect: true,
	ignoreHttpStatusErrors: true,
	returnFullResponse: true,
} as const;

/**
 * The single door out: the only place in the package that calls n8n's HTTP helper. It has the base URL of
 * the first item's credential, which is the one n8n authenticates every call with.
 */
export class Transport {
	/** Aborted when the execution is stopped. */
	readonly signal?: AbortSignal;

	/** Hides the key in what the service answers. */
	private readonly inAnswers: Hider;

	constructor(
		private readonly context: ServiceContext,
		private readonly apiKey: string,
		/** The base URL's scheme, host and port. */
		readonly origin: string,
		/** The service's host root: the origin, with the prefix path of a proxy where there is one. */
		readonly root: string,
	) {
		this.inAnswers = keyHider(apiKey);
		if ('getExecutionCancelSignal' in context) this.signal = context.getExecutionCancelSignal();
	}

	/** Hides the key, and the signatures of links within the request, in what is quoted of its answer. */
	hiderFor({ body }: ServiceRequest): Hider {
		return hiderOf([this.apiKey, ...secretsInLinksOf(body)]);
	}

	/** Calls the service with the key; the value is the parsed body, or its text, without the key. */
	async call(request: ServiceRequest): Promise<Result<unknown>> {
		const { method, path, query, body } = request;
		const isForm = body !== undefined;
		const answer = await this.send(
			{ request: `${method} ${path}`, origin: this.origin, target: 'service' },
			{
				method,
				url: this.root + path,
				qs: query,
				headers: {
					Accept: 'application/json',
					...(isForm && { 'Content-Type': 'application/json' }),
				},
				body: isForm ? JSON.stringify(body) : undefined,
				timeout: CALL_TIMEOUT_MS,
			},
			this.hiderFor(request),
		);
		return answer.ok ? success(this.inAnswers.value(answer.value.body)) : answer;
	}

	/** Streams a file to a signed URL, without the key (spec "Authentication" 6). */
	async put(url: string, file: FileBody): Promise<Result<undefined>> {
		const hangUp = new AbortController();
		const sizeFinding = watchSize(file, hangUp);
		const options = {
			method: 'PUT',
			url,
			headers: { 'Content-Type': file.contentType, 'Content-Length': file.sizeBytes },
			body: file.content,
			timeout: uploadTimeoutMs(file.sizeBytes),
		} as const;
		const answer = await this.send(linkTarget(options), options, linkHider(url), hangUp);
		const said = sizeFinding();
		if (said !== undefined) {
			return failed({ kind: 'wrongSize', request: 'PUT of the file', target: 'link', said });
		}
		return answer.ok ? success(undefined) : answer;
	}

	/** Opens a download link, without the key. */
	async open(url: string): Promise<Result<Download>> {
		// The helper's limit ends when the answer begins; who reads the content has to limit that.
		// Its size is to be compared with Content-Length, so it is asked for as it is.
		const hangUp = new AbortController();
		const options = {
			method: 'GET',
			url,
			encoding: 'stream',
			headers: { 'Accept-Encoding': 'identity' },
			timeout: CALL_TIMEOUT_MS,
		} as const;
		const answer = await this.send(linkTarget(options), options, linkHider(url), hangUp);
		if (!answer.ok) return answer;
		const { headers } = answer.value;
		const content = answer.value.body as ByteStream;
		const close = () => {
			// The helper wraps the connection's stream; destroying the wrapper would leave it open.
			hangUp.abort();
			content.destroy();
		};
		return success({ content, headers, close });
	}

	/**
	 * Sends a request, with the key where it goes to the service, and waits for its answer, at most for the
	 * options' time limit by the clock. The helper's own limit counts from the last byte once the answer has
	 * begun, so an answer that trickles would never end. (A streamed answer ends it with its headers.)
	 *
	 * @param hangUp ends the request from our side, also when the time limit is over
	 */
	private async send(
		target: RequestTarget,
		options: LimitedOptions,
		hider: Hider,
		hangUp = new AbortController(),
	): Promise<Result<IN8nHttpFullResponse>> {
		const { context, signal } = this;
		if (signal?.aborted) return failed({ ...target, kind: 'stopped', wasSent: false });
		const limit = AbortSignal.timeout(options.timeout);
		const end = () => hangUp.abort();
		limit.addEventListener('abort', end);
		const abortSignal = signal ? AbortSignal.any([signal, hangUp.signal]) : hangUp.signal;
		const exact = { ...options, ...EXACT, abortSignal };
		try {
			const response = (await (target.target === 'service'
				? context.helpers.httpRequestWithAuthentication.call(
						'getExecutionCancelSignal' in context ? withSignal(context, abortSignal) : context,
						CREDENTIAL_NAME,
						exact,
					)
				: context.helpers.httpRequest(exact))) as IN8nHttpFullResponse;
			if (response.statusCode < 300) return success(response);
			const failure = await statusFailure(target, response, hider);
			// What was not read of a streamed answer would keep the connection open.
			end();
			return failed(failure);
		} catch (error) {
			if (limit.aborted && !signal?.aborted) return failed({ ...target, kind: 'timeout' });
			return failed(networkFailure(target, error, signal, hider));
		} finally {
			limit.removeEventListener('abort', end);
		}
	}
}

type LimitedOptions = IHttpRequestOptions & { timeout: number };

/** The path and query of a link may be secret, so only its origin is named. */
function linkTarget({ method, url }: Pick<IHttpRequestOptions, 'method' | 'url'>): RequestTarget {
	return { request: `${method} of the file`, origin: new URL(url).origin, target: 'link' };
}

function linkHider(url: string): Hider {
	return hiderOf(secretsInLink(url));
}

/** Opens the door with what the credential says. */
export async function openTransport(context: ServiceContext): Promise<Result<Transport>> {
	const { baseUrl, apiKey } = await context.getCredentials<AccessFields>(CREDENTIAL_NAME, 0);
	const base = parseBaseUrl(baseUrl);
	if (!base.ok) {
		const said = `The 'Base URL' of the credential cannot be used: ${base.reason}`;
		return failed({ kind: 'invalid', request: 'read the credential', said });
	}
	// HTTP drops white space around a header, so a service echoes the key without it.
	return success(new Transport(context, apiKey?.trim() ?? '', base.origin, base.root));
}

/**
 * The context with another abort signal. n8n passes the context's signal to every authenticated call,
 * whatever the options of the call say.
 */
export function withSignal<Context extends ServiceContext>(
	context: Context,
	signal: IHttpRequestOptions['abortSignal'],
): Context {
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
}
