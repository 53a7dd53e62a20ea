import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import axios, { isAxiosError, type AxiosInstance } from 'axios';

import { EditFailure, messageOf, TransientTrouble } from './failures.mts';
import type { OutboundRules } from './outboundRules.mts';

/**
 * The client for everything an edit reaches outside: sources and the client's storage.
 *
 * No proxy: behind one we could not see which address is connected to. Fresh connections: one kept
 * open for an earlier edit may be dead, and a streamed body cannot be sent twice.
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
		maxContentLength: Infinity,
	});
	// Addresses are not looked up, so the lookup does not see them.
	client.interceptors.request.use((request) => {
		rules.refuseForbiddenHost(new URL(request.url ?? '').hostname);
		return request;
	});
	return client;
}

/** HTTP statuses after which a later try may go well. */
function isTransientStatus(status: number): boolean {
	return status === 408 || status === 429 || status >= 500;
}

/** Finds the refusal of a forbidden address in what the HTTP client made of it. */
function refusalIn(error: unknown): EditFailure | undefined {
	let current = error;
	while (current instanceof Error) {
		if (current instanceof EditFailure) return current;
		current = current.cause;
	}
	return undefined;
}

/**
 * What an error of an outgoing request means for the edit: an EditFailure that no later try mends,
 * or a TransientTrouble. `what` says what was tried, without secrets.
 */
export function outboundTrouble(error: unknown, what: string): EditFailure | TransientTrouble {
	const refusal = refusalIn(error);
	if (refusal !== undefined) return refusal;
	if (!isAxiosError(error)) return new TransientTrouble(`${what}: ${messageOf(error)}`);
	const status = error.response?.status;
	if (status === undefined) {
		return new TransientTrouble(`${what}: ${error.code ?? ''} ${messageOf(error)}`);
	}
	const message = `${what}: the server answered HTTP ${status}`;
	return isTransientStatus(status) ? new TransientTrouble(message) : new EditFailure(message);
}
