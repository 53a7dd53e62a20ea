/* eslint-disable @n8n/community-nodes/no-restricted-imports -- the tests are no community node: they pass requests on */
import { once } from 'events';
import {
	Agent,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
	request as httpRequest,
} from 'http';

/** What the service answered, complete. */
export interface ServiceAnswer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

/** What is done to a request instead of passing it on. */
export type Injection = (exchange: Exchange) => Promise<void>;

/** What an exchange needs to know of the proxy it runs through. */
export interface Relay {
	readonly serviceUrl: string;
	/** The service's URLs as clients of the proxy see them, and back. */
	toClient(text: string): string;
	toService(text: string): string;
	/** Called with each answer before the client gets any of it. */
	onAnswer(exchange: Exchange, answer: ServiceAnswer, requestBody: string): void;
}

/** Requests a connection has carried. */
const carried = new WeakMap<object, number>();

const KEEP_ALIVE = new Agent({ keepAlive: true });

/** One request on its way through the proxy. */
export class Exchange {
	readonly method: string;
	readonly path: string;

	/** How many requests its connection carried before. */
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

	/** The request's body; read at the first call. */
	async body(): Promise<Buffer> {
		this.received ??= readAll(this.request);
		return await this.received;
	}

	/** Hands the request to the service and takes its whole answer. */
	async forward(): Promise<ServiceAnswer> {
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
		const answer = this.answerFor(message, await readAll(message));
		this.relay.onAnswer(this, answer, sent.toString());
		return answer;
	}

	/** Sends an answer whole. */
	give({ status, headers, body }: ServiceAnswer): void {
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

/** Gives the service's answer as it is. */
export const passOn: Injection = async (exchange) => {
	exchange.give(await exchange.forward());
};

async function readAll(message: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}
