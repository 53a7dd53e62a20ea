import { createServer, request } from 'node:http';

import { listen } from './listen.mts';
import type { Sandbox } from './sandbox.mts';

/** A request to the service and its response. */
export interface Exchange {
	readonly atMs: number;
	readonly method: string;
	readonly path: string;
	readonly status: number;
}

/** A proxy before the service that records every exchange. */
export interface CountingProxy {
	readonly url: string;
	readonly exchanges: readonly Exchange[];
	/** Returns the paths of the requests with this method so far. */
	readonly paths: (method: string) => string[];
}

/**
 * Starts a proxy before the service at this URL.
 *
 * @param withholds whether the client waits for a response in vain, although the service has sent it
 */
export async function startCountingProxy(
	sandbox: Sandbox,
	target: string,
	withholds: (exchanges: readonly Exchange[]) => boolean = () => false,
): Promise<CountingProxy> {
	const exchanges: Exchange[] = [];
	const server = createServer((incoming, outgoing) => {
		const { method = '', url: path = '', headers } = incoming;
		const onward = request(target + path, { method, headers }, (answer) => {
			const { statusCode: status = 0 } = answer;
			exchanges.push({ atMs: Date.now(), method, path, status });
			if (withholds(exchanges)) return;
			outgoing.writeHead(status, answer.headers);
			answer.pipe(outgoing);
		});
		onward.on('error', () => outgoing.destroy());
		incoming.pipe(onward);
	});
	const paths = (asked: string) =>
		exchanges.filter(({ method }) => method === asked).map(({ path }) => path);
	return { url: await listen(sandbox, server), exchanges, paths };
}
