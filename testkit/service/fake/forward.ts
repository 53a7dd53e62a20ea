/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they pass requests on */
import { once } from 'events';
import {
	Agent,
	type IncomingHttpHeaders,
	type IncomingMessage,
	request as httpRequest,
} from 'http';

/** A request to pass on. */
export interface Forwardable {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

/** A complete response of the service. */
export interface ServiceAnswer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

/** Replaces URLs in a body of JSON, on its way to the service and back. */
export interface Swap {
	toClient(text: string): string;
	toService(text: string): string;
}

/** What concerns one connection, not the request or the response. */
const OF_CONNECTIONS = ['host', 'connection', 'keep-alive', 'transfer-encoding'];

const KEEP_ALIVE = new Agent({ keepAlive: true });

/** Passes a request on to a service, and returns its complete response. */
export async function forward(
	serviceUrl: string,
	{ method, path, headers, body }: Forwardable,
	swap: Swap,
): Promise<ServiceAnswer> {
	const { hostname, port } = new URL(serviceUrl);
	const sent = inJson(headers, body, (text) => swap.toService(text));
	const length = sent.length > 0 && { 'content-length': String(sent.length) };
	const upstream = httpRequest({
		hostname,
		port,
		method,
		path,
		headers: { ...withoutConnection(headers), ...length },
		agent: KEEP_ALIVE,
	});
	upstream.end(sent);
	const [message] = (await once(upstream, 'response')) as [IncomingMessage];
	const received = await readAll(message);
	return {
		status: message.statusCode ?? 0,
		headers: withoutConnection(message.headers),
		body: inJson(message.headers, received, (text) => swap.toClient(text)),
	};
}

/** Reads a whole request or response. */
export async function readAll(message: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

function inJson(
	headers: IncomingHttpHeaders,
	body: Buffer,
	change: (text: string) => string,
): Buffer {
	const isJson = headers['content-type']?.includes('json') ?? false;
	return isJson ? Buffer.from(change(body.toString())) : body;
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => !OF_CONNECTIONS.includes(name)),
	);
}
