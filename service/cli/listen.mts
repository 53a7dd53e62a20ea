import { isIPv6, type AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { codeOf } from '../shared/failures.mts';
import type { Settings } from '../shared/settings.mts';

/** Returns the URLs of the service: the public one first, then the addresses it listens on. */
export function baseUrlsOf(
	settings: Settings,
	address: AddressInfo | string | null,
): [string, ...string[]] {
	const port = typeof address === 'object' && address !== null ? address.port : settings.port;
	const host = isIPv6(settings.host) ? `[${settings.host}]` : settings.host;
	const own = `http://${host}:${port}`;
	return [settings.publicUrl ?? own, own, `http://localhost:${port}`];
}

/** How long the program at the port may take to say what it is. */
const PATIENCE_MS = 2_000;

/** Begins to listen. @throws Error that says what uses the port, and what to do, where it is taken */
export async function listen(app: FastifyInstance, settings: Settings): Promise<void> {
	const { host, port } = settings;
	try {
		await app.listen({ host, port });
	} catch (cause) {
		if (codeOf(cause) !== 'EADDRINUSE') throw cause;
		const [, url] = baseUrlsOf(settings, null);
		const what = (await isOurs(url))
			? `A local audio editing service already runs at ${url}. Use that one with the key it printed, or end it`
			: `Another program uses port ${port}. End it`;
		throw new Error(`${what}; or start this service with another --port`, { cause });
	}
}

async function isOurs(url: string): Promise<boolean> {
	try {
		const answer = await fetch(`${url}/ping`, { signal: AbortSignal.timeout(PATIENCE_MS) });
		// The first piece is enough: another program's answer may have no end.
		const first: unknown = (await answer.body?.getReader().read())?.value;
		return first instanceof Uint8Array && Buffer.from(first).includes('"ping":"pong"');
	} catch {
		return false;
	}
}
