import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { type Socket, connect } from 'node:net';
import { pipeline } from 'node:stream/promises';

import { type Sandbox, listen } from './sandbox.mts';

/**
 * Starts a proxy that records every exchange, and takes the next process for each request. Like most
 * proxies it skips a process that accepts no connection, and sends no request a second time.
 *
 * @param urls where processes listen
 * @param withholds whether the client waits for a response in vain, although the service has sent it
 */
export async function startProxy(
	sandbox: Sandbox,
	urls: readonly string[],
	withholds: () => boolean = () => false,
) {
	/** The ports of the processes; changes take effect with the next request. */
	const ports = new Set(urls.map((url) => Number(new URL(url).port)));
	/** With the body of a response in JSON, once the client has received it completely. */
	const exchanges: { atMs: number; method: string; path: string; status: number; text: string }[] =
		[];
	let turn = 0;
	const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
		turn += 1;
		const socket = await firstToConnect([...ports], turn);
		if (socket === undefined) {
			outgoing.writeHead(502).end();
			return;
		}
		try {
			const answer = await forward(incoming, socket);
			const { method = '', url: path = '' } = incoming;
			const { statusCode: status = 0, headers } = answer;
			const exchange = { atMs: Date.now(), method, path, status, text: '' };
			exchanges.push(exchange);
			if (withholds()) return;
			let text = '';
			const isJson = headers['content-type']?.startsWith('application/json') ?? false;
			if (isJson) answer.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
			outgoing.writeHead(status, headers);
			await pipeline(answer, outgoing);
			exchange.text = text;
		} catch {
			outgoing.destroy();
		} finally {
			socket.destroy();
		}
	};
	const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
	/** Returns the paths of the requests with this method so far. */
	const paths = (asked: string) =>
		exchanges.filter(({ method }) => method === asked).map(({ path }) => path);
	return { url: await listen(sandbox, server), ports, exchanges, paths };
}

/** Returns a connection to the first port that accepts one, beginning with the one whose turn it is. */
async function firstToConnect(ports: readonly number[], turn: number): Promise<Socket | undefined> {
	for (const [index] of ports.entries()) {
		const socket = connect(ports[(index + turn) % ports.length], '127.0.0.1');
		try {
			await once(socket, 'connect');
			return socket;
		} catch {
			socket.destroy();
		}
	}
	return undefined;
}

/** Passes a request on. @returns the response, of which only the head has arrived */
async function forward(incoming: IncomingMessage, socket: Socket): Promise<IncomingMessage> {
	const { method, url: path, headers } = incoming;
	const onward = request({ method, path, headers, createConnection: () => socket });
	// The errors of a broken connection reach those who wait for the response, too.
	for (const stream of [incoming, onward]) stream.on('error', () => socket.destroy());
	incoming.pipe(onward);
	const [answer] = (await once(onward, 'response')) as [IncomingMessage];
	return answer;
}
