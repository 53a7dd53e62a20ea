import { isIP } from 'node:net';

import type { FastifyRequest } from 'fastify';

import type { ServiceContext } from '../context.mts';
import { isLoopback } from '../../shared/settings.mts';

/** Whose edits a visitor may see (null for all), or why none. */
export type PageAccess =
	| { kind: 'granted'; ownerId: string | null; isOwnName: boolean }
	| { kind: 'refused'; statusCode: 401 | 403; text: string };

/** Names of this machine. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Decides who sees which edits on the page:
 *
 * - On a loopback address, everybody sees all edits, but only under the service's own host name: a
 *   foreign name that resolves to this machine (DNS rebinding) is refused.
 * - On other addresses, visitors see the edits of the API key that they send in X-API-Key or as the
 *   password of HTTP Basic authentication.
 * - With `--public-page`, everybody sees all edits, under the service's own name or an IP address.
 */
export function pageAccess(request: FastifyRequest, context: ServiceContext): PageAccess {
	const { settings, accounts } = context;
	const isOwnName = namesOf(context).has(request.host);
	if (isLoopback(settings.host) || settings.publicPage) {
		const isAddress = isIP(request.hostname.replace(/^\[|\]$/g, '')) !== 0;
		if (isOwnName || (settings.publicPage && isAddress)) {
			return { kind: 'granted', ownerId: null, isOwnName };
		}
		const text = 'Open this page at the address of the service (--public-url).';
		return { kind: 'refused', statusCode: 403, text };
	}
	const account = accounts.accountOf(keyIn(request));
	if (account) return { kind: 'granted', ownerId: account.ownerId, isOwnName: true };
	const text = 'Enter an API key of the service as the password.';
	return { kind: 'refused', statusCode: 401, text };
}

/** Returns the hosts of the service with their ports, as in a Host header. */
function namesOf({ baseUrls, settings }: ServiceContext): Set<string> {
	const hosts = baseUrls.map((url) => new URL(url).host);
	const port = new URL(baseUrls.at(1) ?? baseUrls[0]).port;
	const suffix = port === '' ? '' : `:${port}`;
	const loopback = isLoopback(settings.host) ? LOOPBACK_NAMES.map((name) => name + suffix) : [];
	return new Set([...hosts, ...loopback]);
}

function keyIn({ headers }: FastifyRequest): string {
	const own = headers['x-api-key'];
	if (typeof own === 'string') return own;
	const [, encoded = ''] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
	return Buffer.from(encoded, 'base64')
		.toString()
		.replace(/^[^:]*:/, '');
}
