import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { type Socket, connect } from 'node:net';
import { pipeline } from 'node:stream/promises';

import { listen } from '../../support/listen.mts';
import type { Sandbox } from '../../support/sandbox.mts';

/** A complete response that a client received. */
export interface Seen {
	readonly method: string;
	readonly path: string;
	readonly status: number;
	/** The body of a response in JSON; empty for others. */
	readonly text: string;
}

/** What distributes requests to the fronts. */
export interface FrontProxy {
	readonly url: string;
	/** The ports of the fronts; changes take effect with the next request. */
	readonly ports: Set<number>;
	/** Requests that reached no front, and requests whose front died before the response was complete. */
	readonly counts: { refused: number; broken: number };
}

/**
 * Starts a proxy that takes the next front for each request. Like most proxies it skips a front that
 * accepts no connection, and sends no request a second time.
 *
 * @param onSeen called with every response that a client received completely
 */
export async function startFrontProxy(
	sandbox: Sandbox,
	onSeen: (seen: Seen) => void,
): Promise<FrontProxy> {
	const ports = new Set<number>();
	const counts = { refused: 0, broken: 0 };
	let turn = 0;
	const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
		turn += 1;
		const socket = await firstToConnect([...ports], turn);
		if (socket === undefined) {
			counts.refused += 1;
			outgoing.writeHead(502).end();
			return;
		}
		const answer = await forward(incoming, outgoing, socket);
		if (answer === undefined) counts.broken += 1;
		else onSeen(answer);
	};
	const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
	return { url: await listen(sandbox, server), ports, counts };
}

/** Returns a connection to the first front that accepts one, beginning with the one whose turn it is. */
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

/** Passes a request and its response on. Returns undefined when a side went away in between. */
async function forward(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	socket: Socket,
): Promise<Seen | undefined> {
	const { method = '', url: path = '', headers } = incoming;
	const onward = request({ method, path, headers, createConnection: () => socket });
	// The errors of a broken connection reach the awaited calls below, too.
	for (const stream of [incoming, onward]) stream.on('error', () => socket.destroy());
	incoming.pipe(onward);
	try {
		const [answer] = (await once(onward, 'response')) as [IncomingMessage];
		const { statusCode: status = 0 } = answer;
		const isJson = answer.headers['content-type']?.startsWith('application/json') ?? false;
		let text = '';
		if (isJson) answer.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
		outgoing.writeHead(status, answer.headers);
		await pipeline(answer, outgoing);
		return { method, path, status, text };
	} catch {
		outgoing.destroy();
		return undefined;
	} finally {
		socket.destroy();
	}
}
