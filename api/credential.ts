import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

/** The credential type of every call to the service. */
export const CREDENTIAL_NAME = 'audioEditingApi';

/** A base URL that requests can be sent to. */
export interface UsableBaseUrl {
	/** Scheme, host and port. */
	readonly origin: string;
	/** The origin, with the path of a proxy if there is one. */
	readonly root: string;
}

/** A usable base URL, or why it cannot be used. */
export type BaseUrl =
	| ({ readonly ok: true } & UsableBaseUrl)
	| { readonly ok: false; readonly reason: string };

/**
 * Parses the credential's base URL. Drops a trailing slash and a version (`/v2`), because every path
 * we request has its own version; keeps any other path, because a proxy may add one.
 */
export function parseBaseUrl(text: unknown): BaseUrl {
	const trimmed = typeof text === 'string' ? text.trim() : '';
	if (trimmed === '') return unusable('is empty');
	if (/\s/.test(trimmed)) return unusable('contains a blank; enter the URL without it');
	if (!/^https?:\/\//i.test(trimmed)) {
		return unusable('must begin with https:// or http://, as in https://api.example.com');
	}
	if (!URL.canParse(trimmed)) {
		return unusable('is not a complete URL such as https://api.example.com');
	}
	const url = new URL(trimmed);
	if (url.username || url.password) {
		return unusable('contains a user name or password, which must not be in it');
	}
	if (url.search || url.hash) {
		return unusable('contains a query or fragment; enter only the root of the host');
	}
	const prefix = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/v\d+$/, '');
	return { ok: true, origin: url.origin, root: url.origin + prefix };
}

function unusable(reason: string): BaseUrl {
	return { ok: false, reason };
}

/** Whether a URL points to this machine. */
export function isLoopback(url: string): boolean {
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** Whether the key would travel unencrypted over a network: http to any other machine. */
export function sendsKeyInTheClear(origin: string): boolean {
	return new URL(origin).protocol === 'http:' && !isLoopback(origin);
}

/** The fields of the credential. Those that are missing were not in the form when it was saved. */
export interface CredentialFields {
	readonly baseUrl: string;
	readonly apiKey?: string;
	readonly plan?: 'standard' | 'enterprise' | 'custom';
	readonly submissionsPerMinute?: number;
	readonly numberOfWorkers?: number;
}

/** The n8n contexts from which the service is called. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * The context with another abort signal. n8n passes the context's own signal to every authenticated
 * call and ignores the one in the call's options.
 */
export function withSignal<Context extends ServiceContext>(
	context: Context,
	signal: IHttpRequestOptions['abortSignal'],
): Context {
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
}
