/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import type { IncomingHttpHeaders } from 'http';

import { Listener } from './listener';

/** A request that reached the wrong server. */
export interface StrayRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
}

/** The server that redirects point to. It records what reaches it, which should be nothing. */
export interface OtherOrigin {
	readonly origin: string;
	readonly received: readonly StrayRequest[];
	stop(): void;
}

/** Starts the other origin. It answers everything with 200, as a thief of keys would. */
export async function startOtherOrigin(): Promise<OtherOrigin> {
	const received: StrayRequest[] = [];
	const listener = new Listener(({ method = '', url = '', headers }, response) => {
		received.push({ method, path: url, headers });
		response.end('{}');
	});
	await listener.open();
	return { origin: listener.origin, received, stop: () => listener.stop() };
}
