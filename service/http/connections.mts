import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The share of this process's file handles that connections from outside may take. */
const SHARE = 0.5;

/** Returns how many connections may be open at once; Infinity where the limit of handles is unknown. */
export function mostConnections(limits = readLimits()): number {
	const soft = /^Max open files +(\d+)/m.exec(limits)?.[1];
	return soft === undefined ? Infinity : Math.floor(Number(soft) * SHARE);
}

/** Linux only; Windows and macOS have no such file. */
function readLimits(): string {
	try {
		return readFileSync('/proc/self/limits', 'utf8');
	} catch {
		return '';
	}
}

/**
 * Leaves file handles for edits: above the limit, a new connection takes the place of the one that has been
 * without a request for longest, or is closed when all have one.
 */
export function limitConnections(server: Server, most = mostConnections()): void {
	let open = 0;
	/** Those without a request, in the order in which they became so. */
	const idle = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		open += 1;
		idle.add(socket);
		socket.once('close', () => {
			open -= 1;
			idle.delete(socket);
		});
		if (open > most) idle.values().next().value?.destroy();
	});
	server.on('request', ({ socket }, response) => {
		idle.delete(socket);
		response.once('close', () => {
			if (!socket.destroyed) idle.add(socket);
		});
	});
}
