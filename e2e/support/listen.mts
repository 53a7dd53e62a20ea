import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

import type { Sandbox } from './sandbox.mts';

/** Lets a server listen on a free loopback port; the sandbox closes it. Returns its URL. */
export async function listen(sandbox: Sandbox, server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	sandbox.onEnd(async () => {
		if (server instanceof HttpServer) server.closeAllConnections();
		server.close();
		await once(server, 'close');
	});
	const { port } = server.address() as AddressInfo;
	return `http://127.0.0.1:${port}`;
}
