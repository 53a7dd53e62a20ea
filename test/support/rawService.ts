/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import { randomUUID } from 'crypto';
import { once } from 'events';
import { type IncomingMessage, type ServerResponse, createServer } from 'http';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { AddressInfo } from 'net';

import { type Transport, openTransport } from '../../api/transport';
import { startEngine } from './n8nEngine';
import { Probe } from './probeNode';
import { chain, runChain } from './workflows';

/** A request with its complete body. */
export interface RawRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
}

/** A real HTTP server whose responses a test writes by hand, and n8n's real helper to call it. */
export interface RawService {
	readonly url: string;
	readonly apiKey: string;
	readonly seen: RawRequest[];
	/** Answers each request; may leave the response open. */
	answer: (request: RawRequest, response: ServerResponse) => void;
	/** Resolves when the connection of the last request is closed. */
	closed(): Promise<void>;
	/** Runs `work` with a transport of a node's context; it calls this server if no other is given. */
	withTransport(
		work: (transport: Transport, context: IExecuteFunctions, stop: () => void) => Promise<void>,
		url?: string,
	): Promise<void>;
}

/** Starts the server for the tests of a file and stops it after them. */
export function useRawService(): RawService {
	const server = createServer((message, response) => {
		closed = once(response, 'close');
		let body = '';
		message.on('data', (chunk: Buffer) => (body += chunk.toString()));
		message.on('end', () => {
			const { method = '', url = '', headers } = message;
			const request = { method, url, headers, body };
			service.seen.push(request);
			service.answer(request, response);
		});
	});
	let closed: Promise<unknown> = Promise.resolve();
	let port = 0;
	const service: RawService = {
		get url() {
			return `http://127.0.0.1:${port}`;
		},
		apiKey: randomUUID(),
		seen: [],
		answer: (_request, response) => response.end(),
		closed: async () => void (await closed),
		withTransport: async (work, url = service.url) => {
			let stop = () => {};
			let worked = Promise.resolve();
			const test = async (context: IExecuteFunctions) => {
				const opened = await openTransport(context);
				if (!opened.ok) throw new Error(opened.failure.said);
				await work(opened.value, context, () => stop());
			};
			const probe = new Probe(async (context) => await (worked = test(context)));
			const nodeTypes = { 'n8n-nodes-audio-editing.probe': probe };
			const onStart = (cancel: () => void) => {
				stop = cancel;
			};
			const access = { url, apiKey: service.apiKey };
			await runChain(access, chain({ type: 'probe' }), undefined, { nodeTypes, onStart });
			// A stopped execution does not wait for its node.
			await worked;
		},
	};
	beforeAll(async () => {
		await startEngine();
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		({ port } = server.address() as AddressInfo);
	});
	beforeEach(() => {
		service.seen.length = 0;
		service.answer = (_request, response) => response.end();
	});
	afterAll(async () => {
		server.closeAllConnections();
		server.close();
		await once(server, 'close');
	});
	return service;
}
