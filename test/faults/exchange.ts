/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they pass requests on */
import type { IncomingMessage, ServerResponse } from 'http';

import { sleep } from 'n8n-workflow';

import {
	type ServiceAnswer,
	type Swap,
	forward,
	readAll,
} from '../../testkit/service/fake/forward';

/** Handles a request instead of passing it on. */
export type Injection = (exchange: Exchange) => Promise<void>;

/** What an exchange needs from its proxy. */
export interface Relay extends Swap {
	readonly serviceUrl: string;
	isStale(exchange: Exchange, answer: ServiceAnswer): boolean;
	onAnswer(exchange: Exchange, answer: ServiceAnswer, requestBody: string): void;
}

/** Requests carried so far, by connection. */
const carried = new WeakMap<object, number>();

/** How long, on the real clock, before the service is asked again for something new. */
const ASK_AGAIN_MS = 20;

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
		const { method, path, relay } = this;
		const request = { method, path, headers: this.request.headers, body: await this.body() };
		return await forward(relay.serviceUrl, request, relay);
	}

	/** Sends a complete response. */
	send({ status, headers, body }: ServiceAnswer): void {
		this.response.writeHead(status, { ...headers, 'content-length': body.length });
		this.response.end(body);
	}
}

/** Passes the service's response on unchanged. */
export const passOn: Injection = async (exchange) => {
	exchange.send(await exchange.forward());
};
