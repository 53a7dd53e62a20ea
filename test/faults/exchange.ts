/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they pass requests on */
import { once } from 'events';
import {
	Agent,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
	request as httpRequest,
} from 'http';

import { sleep } from 'n8n-workflow';

/** A complete response of the service. */
export interface ServiceAnswer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

/** Handles a request instead of passing it on. */
export type Injection = (exchange: Exchange) => Promise<void>;

/** What an exchange needs from its proxy. */
export interface Relay {
	readonly serviceUrl: string;
	toClient(text: string): string;
	toService(text: string): string;
	isStale(exchange: Exchange, answer: ServiceAnswer): boolean;
	onAnswer(exchange: Exchange, answer: ServiceAnswer, requestBody: string): void;
}

/** Requests carried so far, by connection. */
const carried = new WeakMap<object, number>();

/** How long, on the real clock, before the service is asked again for something new. */
const ASK_AGAIN_MS = 20;

const KEEP_ALIVE = new Agent({ keepAlive: true });

/** One request through the proxy. */
export class Exchange {
	readonly method: string;
	readonly path: string;

	/** Requests its connection carried before this one. */
	readonly earlierOnSocket: number;

	private received?: Promise<Buffer>;

	constructor(
		private readonly relay: Relay,
		readonly request: IncomingMessage,
		readonly response: ServerResponse,
	) {
		this.method = request.method ?? '';
		this.path = request.url ?? '';
		this.earlierOnSocket = carried.get(request.socket) ?? 0;
		carried.set(request.socket, this.earlierOnSocket + 1);
	}

	/** Returns the request's body, read on the first call. */
	async body(): Promise<Buffer> {
		this.received ??= readAll(this.request);
		return await this.received;
	}

	/** Passes the request to the service and returns the complete response. A stale one is not returned. */
	async forward(): Promise<ServiceAnswer> {
		let answer = await this.ask();
		while (this.relay.isStale(this, answer) && !this.response.destroyed) {
			await sleep(ASK_AGAIN_MS);
			answer = await this.ask();
		}
		this.relay.onAnswer(this, answer, (await this.body()).toString());
		return answer;
	}

	private async ask(): Promise<ServiceAnswer> {
		const { hostname, port } = new URL(this.relay.serviceUrl);
		const isJson = this.request.headers['content-type'] === 'application/json';
		const headers = { ...this.request.headers };
		delete headers.host;
		delete headers.connection;
		const sent = await this.body();
		const body = isJson ? Buffer.from(this.relay.toService(sent.toString())) : sent;
		if (body.length > 0) headers['content-length'] = String(body.length);
		const { method, path } = this;
		const upstream = httpRequest({ hostname, port, method, path, headers, agent: KEEP_ALIVE });
		upstream.end(body);
		const [message] = (await once(upstream, 'response')) as [IncomingMessage];
		return this.answerFor(message, await readAll(message));
	}

	/** Sends a complete response. */
	send({ status, headers, body }: ServiceAnswer): void {
		this.response.writeHead(status, { ...headers, 'content-length': body.length });
		this.response.end(body);
	}

	private answerFor({ statusCode = 0, headers }: IncomingMessage, content: Buffer): ServiceAnswer {
		const kept = { ...headers };
		delete kept.connection;
		delete kept['keep-alive'];
		const isJson = headers['content-type']?.includes('json') ?? false;
		const body = isJson ? Buffer.from(this.relay.toClient(content.toString())) : content;
		return { status: statusCode, headers: kept, body };
	}
}

/** Passes the service's response on unchanged. */
export const passOn: Injection = async (exchange) => {
	exchange.send(await exchange.forward());
};

async function readAll(message: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}
