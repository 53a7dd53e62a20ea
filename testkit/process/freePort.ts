/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import { randomInt } from 'crypto';
import { createServer } from 'net';

/** Below the ports that Linux gives to servers without a port and to outgoing connections. */
const PORTS = { first: 10_000, count: 20_000 };

/**
 * Returns a loopback port that is free now. No other process gets it by chance while its owner is being
 * restarted.
 */
export async function freePort(): Promise<number> {
	const port = PORTS.first + randomInt(PORTS.count);
	const isFree = await new Promise<boolean>((resolve) => {
		const server = createServer().once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
	return isFree ? port : await freePort();
}
