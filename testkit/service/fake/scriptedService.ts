/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import { randomUUID } from 'crypto';
import { once } from 'events';
import { type IncomingMessage, type ServerResponse, createServer } from 'http';
import { createServer as createTlsServer } from 'https';
import type { AddressInfo } from 'net';
import { Readable, pipeline } from 'stream';

import { whileHeldBack } from '../requestsUnderWay';

/** A stream that has a file as one chunk, or its chunks as they come, such as the body of an answer. */
export function streamOf(content: Buffer | AsyncIterable<Buffer>): Readable {
	return Readable.from(Buffer.isBuffer(content) ? [content] : content);
}

/** A request as it arrived. */
export interface SeenRequest {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
	readonly bytes: Buffer<ArrayBuffer>;
}

/** A response: a status, a body (an object becomes JSON; buffers and streams are sent as they are), and headers. */
export interface Answer {
	readonly status?: number;
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
	/** Cuts the connection instead of answering, or after this part of the body. */
	readonly cut?: boolean | string;
	/** Never answers. */
	readonly stall?: boolean;
}

/** A response, or what writes it by hand. */
export type Reply = Answer | ((response: ServerResponse) => unknown);

/** Returns the response to a request; `number` counts requests of this method and path from 1. */
export type Script = (request: SeenRequest, number: number) => Reply | Promise<Reply>;

/** A real HTTP server. */
interface Listening {
	readonly url: string;
	/** The number of open connections. */
	readonly connections: () => Promise<number>;
	/** Resolves when the response to the last request has ended, or its connection. */
	readonly closed: () => Promise<void>;
	readonly stop: () => Promise<void>;
}

/** A real HTTP server with the test's responses, for those that the local service never sends. */
export interface ScriptedService extends Listening {
	readonly apiKey: string;
	readonly seen: SeenRequest[];
}

interface Certificate {
	readonly key: string | Buffer;
	readonly cert: string;
}

/**
 * Starts a scripted service, which records what it sees.
 *
 * @param tls the certificate with which it speaks https
 */
export async function startScriptedService(
	script: Script,
	tls?: Certificate,
): Promise<ScriptedService> {
	const seen: SeenRequest[] = [];
	const listening = await listen(async (message) => {
		const bytes = await readAll(message);
		const { method = '', url = '', headers } = message;
		const request = { method, path: url, headers, body: bytes.toString(), bytes };
		seen.push(request);
		const alike = seen.filter((other) => other.method === method && other.path === url);
		return await script(request, alike.length);
	}, tls);
	return { ...listening, apiKey: randomUUID(), seen };
}

/** Answers the requests to a free loopback port. */
export async function listen(
	answer: (message: IncomingMessage) => Promise<Reply>,
	tls?: Certificate,
): Promise<Listening> {
	let closed: Promise<unknown> = Promise.resolve();
	const listener = (message: IncomingMessage, response: ServerResponse) => {
		closed = once(response, 'close');
		const reply = async () => write(response, await answer(message));
		// A client that disconnects during a request gets no response.
		reply().catch(() => response.destroy());
	};
	const server = tls ? createTlsServer(tls, listener) : createServer(listener);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
		connections: async () =>
			await new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
		closed: async () => void (await closed),
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

function write(response: ServerResponse, reply: Reply): void {
	if (typeof reply === 'function') {
		reply(response);
		return;
	}
	const { status = 200, body, headers, cut, stall } = reply;
	if (stall) {
		void whileHeldBack(response.socket?.remotePort, async () => await once(response, 'close'));
		return;
	}
	if (typeof cut === 'string') {
		response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': 1_000 });
		response.write(cut, () => response.destroy());
		return;
	}
	if (cut) {
		response.destroy();
		return;
	}
	if (body instanceof Readable) {
		response.writeHead(status, headers);
		pipeline(body, response, () => {});
		return;
	}
	const isText = typeof body === 'string' || Buffer.isBuffer(body);
	const type = isText ? 'text/html' : 'application/json';
	response.writeHead(status, { 'Content-Type': type, ...headers });
	response.end(isText ? body : JSON.stringify(body ?? {}));
}

async function readAll(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}
