import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The share of this process's file handles for connections from outside. An upload takes another one for its file. */
const SHARE = 0.25;

/** Returns how many connections may be open at once; Infinity where the limit of handles is unknown. */
export function maxConnections(limits = readLimits()): number {
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
 * Answers clients that close their side after their request, as HTTP allows. Node takes that for the end of the
 * connection unless this property says otherwise.
 */
export function answerHalfClosed(server: Server): void {
	Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Leaves file handles for edits: above the limit, a new connection takes the place of the one that has been
 * without a request for longest, or is closed when all have one.
 */
export function limitConnections(server: Server, most = maxConnections()): void {
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
	/** Requests without their whole answer; a client may send the next one before. */
	const unanswered = new Map<Socket, number>();
	server.on('request', ({ socket }, response) => {
		idle.delete(socket);
		unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
		response.once('close', () => {
			const left = (unanswered.get(socket) ?? 1) - 1;
			if (left > 0) unanswered.set(socket, left);
			else unanswered.delete(socket);
			if (left === 0 && !socket.destroyed) idle.add(socket);
		});
	});
}
