import { type IncomingHttpHeaders, createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { listen } from '../listen.mts';
import type { Sandbox } from '../sandbox.mts';

/** A request with its whole body. */
export interface Asked {
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

/** A response; a body that is neither text nor bytes becomes JSON. */
export interface Given {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: unknown;
}

/** A server in place of a host's API. */
export interface StandIn {
	readonly url: string;
	/** Every request, oldest first. */
	readonly asked: readonly Asked[];
}

/** Starts a server that answers like a host; the sandbox stops it. */
export async function startStandIn(
	sandbox: Sandbox,
	answer: (asked: Asked) => Given | Promise<Given>,
): Promise<StandIn> {
	const asked: Asked[] = [];
	const server = createServer((message, response) => {
		const serve = async () => {
			const { method = '', url = '', headers } = message;
			const { pathname, searchParams } = new URL(url, 'http://stand-in');
			const body = await buffer(message);
			const request = { method, path: pathname, query: searchParams, headers, body };
			asked.push(request);
			const given = await answer(request);
			const { content, type } = contentOf(given.body);
			response.writeHead(given.status ?? 200, {
				'Content-Type': type,
				'Content-Length': content.length,
				...given.headers,
			});
			response.end(method === 'HEAD' ? undefined : content);
		};
		serve().catch(() => response.destroy());
	});
	return { url: await listen(sandbox, server), asked };
}

function contentOf(body: unknown): { content: Buffer; type: string } {
	if (Buffer.isBuffer(body)) return { content: body, type: 'application/octet-stream' };
	if (typeof body === 'string') return { content: Buffer.from(body), type: 'text/plain' };
	return { content: Buffer.from(JSON.stringify(body ?? {})), type: 'application/json' };
}

/** Returns the JSON object of a request. */
export function jsonOf({ body }: Asked): Record<string, unknown> {
	return JSON.parse(body.toString()) as Record<string, unknown>;
}

/** Fetches a file as a host does that was given its link. @throws unless the link works */
export async function fetched(url: string): Promise<Buffer> {
	const response = await fetch(url);
	if (!response.ok) throw new Error(`${url}: ${response.status}`);
	return Buffer.from(await response.arrayBuffer());
}

/** A field of a form in a request. */
export interface FormPart {
	/** Undefined unless it is a file. */
	readonly fileName: string | undefined;
	readonly content: Buffer;
}

/** Returns the fields of a multipart form by their names. */
export function partsOf({ headers, body }: Asked): Partial<Record<string, FormPart>> {
	const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1] ?? '';
	const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
	const read = (part: string): [string, FormPart] => {
		const bodyAt = part.indexOf('\r\n\r\n');
		const [, name = '', fileName] =
			/ name="([^"]*)"(?:; filename="([^"]*)")?/.exec(part.slice(0, bodyAt)) ?? [];
		const content = Buffer.from(part.slice(bodyAt + 4, -2), 'latin1');
		return [name, { fileName, content }];
	};
	return Object.fromEntries(parts.map(read));
}
