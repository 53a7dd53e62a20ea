/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import { once } from 'events';
import { type RequestListener, type Server, createServer } from 'http';
import { type Socket, isIP } from 'net';
import { subscribe } from 'diagnostics_channel';

import { freePort } from '../../testkit/process/freePort';

/** A loopback port that can be shut, so that it refuses connections, and reopened. */
export class Listener {
	/** The open connections. */
	readonly sockets = new Set<Socket>();

	private server?: Server;

	private port = 0;

	constructor(private readonly handler: RequestListener) {}

	get origin(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Listens, on the same port if it was shut before: nobody else may get that port meanwhile. */
	async open(): Promise<void> {
		this.port ||= await freePort();
		const server = createServer((request, response) => {
			// A connection in use when the port shuts must not stay alive: the next request would use it.
			response.once('finish', () => {
				if (!server.listening) request.socket.end();
			});
			this.handler(request, response);
		});
		this.server = server;
		this.server.on('connection', (socket) => {
			this.sockets.add(socket);
			socket.once('close', () => this.sockets.delete(socket));
		});
		this.server.listen(this.port, '127.0.0.1');
		await once(this.server, 'listening');
	}

	/** Accepts no more connections; those in use stay open. */
	shut(): void {
		this.server?.close();
	}

	/** Calls back for each connection to this port that the machine refuses. */
	onRefused(refused: () => void): void {
		listenForRefusals();
		HEARERS.set(this.port, refused);
	}

	/** Closes everything. */
	stop(): void {
		HEARERS.delete(this.port);
		this.shut();
		for (const socket of this.sockets) socket.destroy();
	}
}

/** The callbacks for refused connections, by port. */
const HEARERS = new Map<number, () => void>();

let isListening = false;

/** The port cannot see a refused connection, but the nodes run in this process, which can. */
function listenForRefusals(): void {
	if (isListening) return;
	isListening = true;
	subscribe('net.client.socket', (message) => {
		const { socket } = message as { socket: Socket };
		socket.once('error', (error: NodeJS.ErrnoException & { port?: number; address?: string }) => {
			const isOurs = error.code === 'ECONNREFUSED' && isIP(error.address ?? '') === 4;
			if (isOurs) HEARERS.get(error.port ?? 0)?.();
		});
	});
}
