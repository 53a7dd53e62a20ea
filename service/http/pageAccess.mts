import { isIP } from 'node:net';

import type { FastifyRequest } from 'fastify';

import type { ServiceContext } from './context.mts';
import { isLoopback } from '../shared/settings.mts';

/** Who looks at the page: what is shown to them, or why nothing is. */
export type PageAccess =
	| { kind: 'granted'; ownerId: string | null; isOwnName: boolean }
	| { kind: 'refused'; statusCode: 401 | 403; text: string };

/** Names of this machine. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Decides who sees the page. Where only this machine reaches the service, a browser that asked for
 * it by its own name: another site's name that leads here (DNS rebinding) gets nothing. Elsewhere
 * who has an API key, as the password of HTTP Basic authentication or in X-API-Key, sees the edits
 * of that key; with `--public-page` everybody sees all of them.
 */
export function pageAccess(request: FastifyRequest, context: ServiceContext): PageAccess {
	const { settings, accounts } = context;
	const isOwnName = namesOf(context).has(request.host);
	if (isLoopback(settings.host) || settings.publicPage) {
		const isAddress = isIP(request.hostname.replace(/^\[|\]$/g, '')) !== 0;
		if (isOwnName || (settings.publicPage && isAddress)) {
			return { kind: 'granted', ownerId: null, isOwnName };
		}
		const text = 'The page is shown under the name of the service only (--public-url).';
		return { kind: 'refused', statusCode: 403, text };
	}
	const account = accounts.accountOf(keyIn(request) ?? '');
	if (account) return { kind: 'granted', ownerId: account.ownerId, isOwnName: true };
	const text = 'The page needs an API key of the service, as the password.';
	return { kind: 'refused', statusCode: 401, text };
}

/** The hosts under which the service is asked for: with their port, as a Host header has them. */
function namesOf({ baseUrls, settings }: ServiceContext): Set<string> {
	const hosts = baseUrls.map((url) => new URL(url).host);
	const port = new URL(baseUrls.at(1) ?? baseUrls[0]).port;
	const suffix = port === '' ? '' : `:${port}`;
	const loopback = isLoopback(settings.host) ? LOOPBACK_NAMES.map((name) => name + suffix) : [];
	return new Set([...hosts, ...loopback]);
}

function keyIn({ headers }: FastifyRequest): string | undefined {
	const own = headers['x-api-key'];
	if (typeof own === 'string') return own;
	const [, encoded] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
	return (
		encoded &&
		Buffer.from(encoded, 'base64')
			.toString('utf8')
			.replace(/^[^:]*:/, '')
	);
}
