/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import { once } from 'events';
import type { IncomingMessage, ServerResponse } from 'http';

import { type Edit, isFinalStatus } from '../../api/contract';
import type { ServiceAnswer } from '../../testkit/service/fake/forward';
import { Exchange, type Injection, type Relay, passOn } from './exchange';
import { Listener } from './listener';

/** The two ports of the proxy: the service's address, and that of its signed links. */
export type Port = 'service' | 'links';

/** Which requests the fault strikes, and how. */
export interface Plan {
	/** Whether a request is for the endpoint. `path` includes the query. */
	isEndpoint(method: string, path: string): boolean;
	/** A part of the target item's path or edit request; empty if there is only one item. */
	readonly token: string;
	readonly isOnce: boolean;
	readonly fault: Injection | Refusal;
}

/** Refuses `refusals` connections to a port, starting after `answersBefore` responses. */
export interface Refusal {
	readonly port: Port;
	/** Responses sent at that port before it shuts. */
	readonly answersBefore: number;
	readonly refusals: number;
}

const SUBMISSION_PATHS = ['/v2/edits', '/v2/noise'];

/** The proxy between the nodes and the local service; one per case. */
export class FaultProxy implements Relay {
	/** The port and the key of each request. */
	readonly seen: Array<{ port: Port; key: unknown }> = [];
	/** The edits that the service created, with the bodies of their requests. */
	readonly created: Array<{ requestBody: string; id: string }> = [];
	/** Signatures of the links that passed through. */
	readonly signatures = new Set<string>();
	/** How often the fault struck. */
	injections = 0;

	private readonly ports = {
		service: new Listener((request, response) => void this.take('service', request, response)),
		links: new Listener((request, response) => void this.take('links', request, response)),
	};

	private readonly answers = { service: 0, links: 0 };

	/** The last answer to each poll. */
	private readonly polled = new Map<string, string>();

	private wasShut = false;

	private constructor(
		readonly serviceUrl: string,
		private readonly plan: Plan,
	) {}

	static async start(serviceUrl: string, plan: Plan): Promise<FaultProxy> {
		const proxy = new FaultProxy(serviceUrl, plan);
		await proxy.ports.service.open();
		await proxy.ports.links.open();
		proxy.shutWhenDue();
		return proxy;
	}

	/** The service's address as the nodes see it. */
	get url(): string {
		return this.ports.service.origin;
	}

	/** How many connections to either port are open. */
	get openConnections(): number {
		return this.ports.service.sockets.size + this.ports.links.sockets.size;
	}

	/** Resolves when the client has closed all its connections. */
	async closed(): Promise<void> {
		while (this.openConnections > 0) {
			const { service, links } = this.ports;
			const open = [...service.sockets, ...links.sockets];
			await Promise.all(open.map(async (socket) => await once(socket, 'close')));
		}
	}

	stop(): void {
		this.ports.service.stop();
		this.ports.links.stop();
	}

	/** Replaces the service's URLs with the proxy's; `toService` does the reverse. */
	toClient(text: string): string {
		for (const [, signature] of text.matchAll(/signature=([0-9a-f]+)/g)) {
			this.signatures.add(signature);
		}
		return text.replaceAll(this.serviceUrl, this.ports.links.origin);
	}

	toService(text: string): string {
		return text.replaceAll(this.ports.links.origin, this.serviceUrl);
	}

	/**
	 * Whether the client has already received this answer to a poll, and another one will follow: the exchange
	 * then asks the service again. The nodes' clock leaps and the service's does not, so the nodes would poll a
	 * running edit until their time is up, in no time. While an answer is held back, the nodes' clock does not
	 * move.
	 */
	isStale({ method, path }: Exchange, { status, body }: ServiceAnswer): boolean {
		if (method !== 'GET' || !/^\/v2\/edits\/[^/]+$/.test(path) || status !== 200) return false;
		const text = body.toString();
		const isStale = this.polled.get(path) === text && willChange(JSON.parse(text) as Edit);
		this.polled.set(path, text);
		return isStale;
	}

	/** Called with each response before the client receives any of it. */
	onAnswer({ method, path, request }: Exchange, { status, body }: ServiceAnswer, sent: string) {
		if (method === 'POST' && SUBMISSION_PATHS.includes(path) && status === 200) {
			const { id } = JSON.parse(body.toString()) as { id: string };
			this.created.push({ requestBody: sent, id });
		}
		const isLink = this.ports.links.sockets.has(request.socket);
		this.answers[isLink ? 'links' : 'service'] += 1;
		// Shut before the client gets the response, so that it cannot begin its next request.
		this.shutWhenDue();
	}

	private async take(port: Port, request: IncomingMessage, response: ServerResponse) {
		const exchange = new Exchange(this, request, response);
		this.seen.push({ port, key: request.headers['x-api-key'] });
		// The client may disconnect at any moment, and should when its time limit is over.
		request.on('error', () => {});
		try {
			const injection = await this.injectionFor(exchange);
			await (injection ?? passOn)(exchange);
		} catch {
			response.destroy();
		}
	}

	private async injectionFor(exchange: Exchange): Promise<Injection | undefined> {
		const { isEndpoint, token, isOnce, fault } = this.plan;
		const { method, path } = exchange;
		if (typeof fault !== 'function' || !isEndpoint(method, path)) return undefined;
		const isSubmission = SUBMISSION_PATHS.includes(path);
		const told = isSubmission ? (await exchange.body()).toString() : path;
		if (!told.includes(token) || (isOnce && this.injections > 0)) return undefined;
		this.injections += 1;
		return fault;
	}

	private shutWhenDue(): void {
		const { fault, isOnce } = this.plan;
		if (typeof fault === 'function' || this.wasShut) return;
		if (this.answers[fault.port] !== fault.answersBefore) return;
		this.wasShut = true;
		const port = this.ports[fault.port];
		port.shut();
		port.onRefused(() => {
			this.injections += 1;
			if (this.injections === (isOnce ? 1 : fault.refusals)) void port.open();
		});
	}
}

/** Whether the service will say more about an edit: a result may follow its status late. */
export function willChange({ status, result }: Edit): boolean {
	return !isFinalStatus(status) || (status === 'SUCCESS' && !result?.download_url);
}
