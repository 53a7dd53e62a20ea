/* eslint-disable @n8n/community-nodes/no-restricted-imports -- the tests are no community node: they listen on loopback */
import { once } from 'events';
import { type RequestListener, type Server, createServer } from 'http';
import { type AddressInfo, type Socket, isIP } from 'net';
import { subscribe } from 'diagnostics_channel';

/** A loopback port that can be shut, so that connections are refused, and opened again. */
export class Listener {
	/** The connections that stand. */
	readonly sockets = new Set<Socket>();

	private server?: Server;

	private port = 0;

	constructor(private readonly handler: RequestListener) {}

	get origin(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Listens; on the same port when it was shut before. */
	async open(): Promise<void> {
		const server = createServer((request, response) => {
			// A connection at work when the port is shut must not be kept alive: the next request would use it.
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
		this.port = (this.server.address() as AddressInfo).port;
	}

	/** Takes no more connections; those that stand and are at work stay. */
	shut(): void {
		this.server?.close();
	}

	/** Calls back at each connection to this port that the machine refused. */
	onRefused(heard: () => void): void {
		listenForRefusals();
		HEARERS.set(this.port, heard);
	}

	/** Ends everything. */
	stop(): void {
		HEARERS.delete(this.port);
		this.shut();
		for (const socket of this.sockets) socket.destroy();
	}
}

/** Who wants to hear of refused connections, by port. */
const HEARERS = new Map<number, () => void>();

let isListening = false;

/** Nobody at the port sees a refused connection, but the nodes run in this process, which does. */
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
