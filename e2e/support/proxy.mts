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
	const exchanges: Exchange[] = [];
	let turn = 0;
	let underWay = 0;
	const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
		turn += 1;
		const socket = await firstToConnect([...ports], turn);
		if (socket === undefined) {
			outgoing.writeHead(502).end();
			return;
		}
		try {
			let sent = '';
			if (isJson(incoming))
				incoming.on('data', (chunk: Buffer) => (sent += chunk.toString('utf8')));
			const answer = await forward(incoming, socket);
			const { method = '', url: path = '' } = incoming;
			const { statusCode: status = 0, headers } = answer;
			const exchange = { atMs: Date.now(), method, path, status, sent, text: '' };
			exchanges.push(exchange);
			if (withholds()) return;
			let text = '';
			if (isJson(answer)) answer.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
			outgoing.writeHead(status, headers);
			await pipeline(answer, outgoing);
			exchange.text = text;
		} catch {
			outgoing.destroy();
		} finally {
			socket.destroy();
		}
	};
	const server = createServer((incoming, outgoing) => {
		underWay += 1;
		void handle(incoming, outgoing).finally(() => (underWay -= 1));
	});
	/** Returns the paths of the requests with this method so far. */
	const paths = (asked: string) =>
		exchanges.filter(({ method }) => method === asked).map(({ path }) => path);
	return { url: await listen(sandbox, server), ports, exchanges, paths, underWay: () => underWay };
}

/** A request and its response. */
interface Exchange {
	readonly atMs: number;
	readonly method: string;
	readonly path: string;
	readonly status: number;
	/** The request's body, if that is JSON. */
	readonly sent: string;
	/** The response's body, if that is JSON, once the client has received it completely. */
	text: string;
}

function isJson({ headers }: IncomingMessage): boolean {
	return headers['content-type']?.startsWith('application/json') ?? false;
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
