import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';

import axios, { isAxiosError, type AxiosInstance } from 'axios';

import { codeOf, EditFailure, TransientTrouble } from '../shared/failures.mts';
import type { OutboundRules } from './addressRules.mts';

/**
 * Creates the HTTP client for sources and the clients' storages.
 *
 * Ask it for answers as streams (`responseType`): their size has no limit here. The body of a refusal is never read.
 *
 * It uses no proxy, because the address rules could not see where a proxy connects to. It keeps no
 * connections open: a reused one may be dead, and a streamed body cannot be sent twice.
 */
export function createOutboundClient(rules: OutboundRules): AxiosInstance {
	const options = { lookup: rules.guardedLookup, keepAlive: false };
	const client = axios.create({
		proxy: false,
		decompress: false,
		httpAgent: new HttpAgent(options),
		httpsAgent: new HttpsAgent(options),
		maxRedirects: 5,
		beforeRedirect: (target: Record<string, unknown>) => {
			rules.refuseForbiddenHost(String(target.hostname));
		},
		maxBodyLength: Infinity,
		// With a limit, even an infinite one, an answer is wrapped so that destroying it does not end its connection.
		maxContentLength: -1,
	});
	// Node does not look up literal addresses, so `guardedLookup` never sees them.
	client.interceptors.request.use((request) => {
		rules.refuseForbiddenHost(new URL(request.url ?? '').hostname);
		return request;
	});
	client.interceptors.response.use(undefined, (error: unknown) => {
		if (isAxiosError<unknown>(error)) discard(error.response?.data);
		throw error;
	});
	return client;
}

/** Ends the connection of an answer whose body nobody wants. It need not be a stream. */
export function discard(body: unknown): void {
	if (body instanceof Readable) body.on('error', () => undefined).destroy();
}

/** Readable texts for Node.js error codes. Node's own messages may contain paths of this machine. */
const CODE_MEANINGS: Readonly<Partial<Record<string, string>>> = {
	ECONNREFUSED: 'the connection was refused',
	ECONNRESET: 'the connection was lost',
	ERR_BAD_RESPONSE: 'the connection was lost',
	EPIPE: 'the connection was lost',
	ENOTFOUND: 'the host is unknown',
	EAI_AGAIN: 'the host name cannot be looked up at the moment',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	ETIMEDOUT: 'the server did not respond in time',
	ECONNABORTED: 'the server did not respond in time',
	ERR_FR_TOO_MANY_REDIRECTS: 'there were too many redirects',
};

/** What the refusal of a link means to the person who made it. */
export const LINK_IS_LOCKED = 'the link has expired or needs a login. Make a new one';

/** The statuses with which hosts refuse such links. */
const STATUSES_OF_LOCKED: ReadonlySet<number> = new Set([401, 403, 410]);

function networkReason(error: unknown): string {
	const code = codeOf(error);
	const meaning = CODE_MEANINGS[code] ?? 'the transfer failed';
	return /^[A-Z][A-Z0-9_]*$/.test(code) ? `${meaning} (${code})` : meaning;
}

/** Finds the refusal of a forbidden address among the causes of the HTTP client's error. */
function refusalIn(error: unknown): EditFailure | undefined {
	let current = error;
	while (current instanceof Error) {
		if (current instanceof EditFailure) return current;
		current = current.cause;
	}
	return undefined;
}

/**
 * Converts an error of an outgoing request: TransientTrouble when a retry may succeed, EditFailure
 * otherwise. `what` describes the request, without secrets.
 */
export function outboundTrouble(error: unknown, what: string): EditFailure | TransientTrouble {
	const refusal = refusalIn(error);
	if (refusal !== undefined) return refusal;
	if (error instanceof TransientTrouble) return new TransientTrouble(`${what}: ${error.message}`);
	const status = isAxiosError(error) ? error.response?.status : undefined;
	if (status === undefined) return new TransientTrouble(`${what}: ${networkReason(error)}`);
	const meaning = STATUSES_OF_LOCKED.has(status) ? `: ${LINK_IS_LOCKED}` : '';
	const message = `${what}: the server answered HTTP ${status}${meaning}`;
	const isTransient = status === 408 || status === 429 || status >= 500;
	return isTransient ? new TransientTrouble(message) : new EditFailure(message);
}
