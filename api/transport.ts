import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { parseBaseUrl } from './baseUrl';
import { CREDENTIAL_NAME } from './credential';
import { type Asked, networkFailure, statusFailure } from './failures';
import { type Outcome, failed, success } from './outcome';
import { type Hider, hiderOf, keyHider, secretsInLink, secretsInLinksOf } from './secrets';
import { watchSize } from './sizeWatch';
import { CALL_TIMEOUT_MS, uploadTimeoutMs } from './timeLimits';

/** The credential's fields that say where the service is and who asks. */
interface AccessFields {
	baseUrl: string;
	apiKey?: string;
}

/** The n8n contexts from which the service is called. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A readable stream as n8n hands it out. */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** A request to the service itself; it carries the key. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'DELETE';
	/** Path from the host root with its version, ids already encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
}

/** A file on its way to a signed URL. */
export interface FileBody {
	content: ByteStream | Buffer;
	sizeBytes: number;
	contentType: string;
}

/** A file on its way from a download link. */
export interface Download {
	content: ByteStream;
	headers: IDataObject;
	/** Ends the connection, whether or not everything was read. */
	close(): void;
}

/** The single door out: the only place in the package that calls n8n's HTTP helper. */
export interface Transport {
	/** Calls the service with the key; the value is the parsed body, or its text, without the key. */
	call(request: ServiceRequest): Promise<Outcome<unknown>>;
	/** Streams a file to a signed URL, without the key (spec "Authentication" 6). */
	put(url: string, file: FileBody): Promise<Outcome<undefined>>;
	/** Opens a download link, without the key. */
	open(url: string): Promise<Outcome<Download>>;
	/** Hides the key, and the signatures of links within the request, in what is quoted of its answer. */
	hiderFor(request: ServiceRequest): Hider;
	/** Aborted when the execution is stopped. */
	readonly signal?: AbortSignal;
	/** The base URL's scheme, host and port. */
	readonly origin: string;
	/** The service's host root: the origin, with the prefix path of a proxy where there is one. */
	readonly root: string;
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
 * Opens the door: reads the base URL of the first item's credential, which is the one n8n authenticates
 * every call with, and the execution's abort signal.
 */
export async function openTransport(context: ServiceContext): Promise<Outcome<Transport>> {
	const fields = await context.getCredentials<AccessFields>(CREDENTIAL_NAME, 0);
	const { baseUrl } = fields;
	// HTTP drops white space around a header, so a service echoes the key without it.
	const apiKey = fields.apiKey?.trim() ?? '';
	const base = parseBaseUrl(baseUrl);
	if (!base.ok) {
		const said = `The 'Base URL' of the credential cannot be used: ${base.reason}`;
		return failed({ kind: 'invalid', request: 'read the credential', said });
	}
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const authenticated = (options: IHttpRequestOptions) =>
		context.helpers.httpRequestWithAuthentication.call(
			'getExecutionCancelSignal' in context ? withSignal(context, options.abortSignal) : context,
			CREDENTIAL_NAME,
			options,
		);
	const anonymous = (options: IHttpRequestOptions) => context.helpers.httpRequest(options);
	const inAnswers = keyHider(apiKey);
	const hiderFor = ({ body: sent }: ServiceRequest) => hiderOf([apiKey, ...secretsInLinksOf(sent)]);

	return success({
		signal,
		origin: base.origin,
		root: base.root,
		hiderFor,
		call: async (request) => {
			const { method, path, query, body } = request;
			const isForm = body !== undefined;
			const asked = {
				request: `${method} ${path}`,
				origin: base.origin,
				target: 'service',
			} as const;
			const answer = await send(
				authenticated,
				asked,
				{ signal, hider: hiderFor(request) },
				{
					method,
					url: base.root + path,
					qs: query,
					headers: {
						Accept: 'application/json',
						...(isForm && { 'Content-Type': 'application/json' }),
					},
					body: isForm ? JSON.stringify(body) : undefined,
					timeout: CALL_TIMEOUT_MS,
				},
			);
			return answer.ok ? success(inAnswers.value(answer.value.body)) : answer;
		},
		put: async (url, file) => {
			const hangUp = new AbortController();
			const sizeFinding = watchSize(file, hangUp);
			const answer = await transfer(anonymous, { signal, hangUp }, 'PUT', url, {
				headers: { 'Content-Type': file.contentType, 'Content-Length': file.sizeBytes },
				body: file.content,
				timeout: uploadTimeoutMs(file.sizeBytes),
			});
			const said = sizeFinding();
			if (said !== undefined) {
				return failed({ kind: 'wrongSize', request: 'PUT of the file', target: 'link', said });
			}
			return answer.ok ? success(undefined) : answer;
		},
		open: async (url) => {
			// The helper's limit ends when the answer begins; who reads the content has to limit that.
			// Its size is to be compared with Content-Length, so it is asked for as it is.
			const hangUp = new AbortController();
			const options = {
				encoding: 'stream',
				headers: { 'Accept-Encoding': 'identity' },
				timeout: CALL_TIMEOUT_MS,
			} as const;
			const answer = await transfer(anonymous, { signal, hangUp }, 'GET', url, options);
			if (!answer.ok) return answer;
			const { headers } = answer.value;
			const content = answer.value.body as ByteStream;
			const close = () => {
				// The helper wraps the connection's stream; destroying the wrapper would leave it open.
				hangUp.abort();
				content.destroy();
			};
			return success({ content, headers, close });
		},
	});
}

type Helper = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

type LimitedOptions = IHttpRequestOptions & { timeout: number };

/** What may end a request from our side. */
interface Ends {
	/** Aborted when the execution is stopped. */
	readonly signal?: AbortSignal;
	/** Aborted here when the time limit is over; whoever passes it in may abort it, too. */
	readonly hangUp?: AbortController;
}

/** A request to a link; its path and query may be secret, so only the origin is named. */
async function transfer(
	helper: Helper,
	ends: Ends,
	method: IHttpRequestMethods,
	url: string,
	options: Omit<LimitedOptions, 'url'>,
): Promise<Outcome<IN8nHttpFullResponse>> {
	const what = method === 'PUT' ? 'PUT of the file' : 'GET of the file';
	const asked = { request: what, origin: new URL(url).origin, target: 'link' } as const;
	const hider = hiderOf(secretsInLink(url));
	return await send(helper, asked, { ...ends, hider }, { ...options, method, url });
}

/**
 * Sends a request and waits for its answer, at most for the options' time limit by the clock. The
 * helper's own limit counts from the last byte once the answer has begun, so an answer that trickles
 * would never end. (A streamed answer ends it with its headers.)
 */
async function send(
	helper: Helper,
	asked: Asked,
	{ signal, hangUp = new AbortController(), hider }: Ends & { readonly hider: Hider },
	options: LimitedOptions,
): Promise<Outcome<IN8nHttpFullResponse>> {
	if (signal?.aborted) return failed({ ...asked, kind: 'stopped', wasSent: false });
	const limit = AbortSignal.timeout(options.timeout);
	const end = () => hangUp.abort();
	limit.addEventListener('abort', end);
	const abortSignal = signal ? AbortSignal.any([signal, hangUp.signal]) : hangUp.signal;
	try {
		const response = await helper({ ...options, ...EXACT, abortSignal });
		if (response.statusCode < 300) return success(response);
		const failure = await statusFailure(asked, response, hider);
		// What was not read of a streamed answer would keep the connection open.
		end();
		return failed(failure);
	} catch (error) {
		if (limit.aborted && !signal?.aborted) return failed({ ...asked, kind: 'timeout' });
		return failed(networkFailure(asked, error, signal, hider));
	} finally {
		limit.removeEventListener('abort', end);
	}
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
