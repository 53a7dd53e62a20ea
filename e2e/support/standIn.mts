import { type Visit, startOutsideServer } from '../../testkit/service/servers.mts';
import type { Sandbox } from './sandbox.mts';

/** A request with its whole body. */
export interface Asked extends Visit {
	readonly path: string;
	readonly query: URLSearchParams;
}

/** A response; a body that is neither text nor bytes becomes JSON. */
interface Given {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: unknown;
}

export type Answer = (asked: Asked) => Given | Promise<Given>;

/** Starts a server in place of a host's API; the sandbox stops it. @returns its URL */
export async function startStandIn(sandbox: Sandbox, answer: Answer): Promise<string> {
	const server = await startOutsideServer((visit, response) => {
		const { pathname: path, searchParams: query } = new URL(visit.url, 'http://stand-in');
		const serve = async () => {
			const { status = 200, headers, body } = await answer({ ...visit, path, query });
			const { content, type } = contentOf(body);
			const always = { 'Content-Type': type, 'Content-Length': content.length };
			response.writeHead(status, { ...always, ...headers }).end(content);
		};
		serve().catch(() => response.destroy());
	});
	return sandbox.use(server).url;
}

/**
 * Answers requests by their method and path, such as `POST /posts`, and 404 to any other. Without this
 * value of the header, it answers 401.
 */
export function routes(
	[header, value]: readonly [string, string],
	table: Readonly<Partial<Record<string, Answer>>>,
): Answer {
	return (asked) => {
		if (asked.headers[header] !== value) return { status: 401 };
		return table[`${asked.method} ${asked.path}`]?.(asked) ?? { status: 404 };
	};
}

function contentOf(body: unknown): { content: Buffer; type: string } {
	if (Buffer.isBuffer(body)) return { content: body, type: 'application/octet-stream' };
	if (typeof body === 'string') return { content: Buffer.from(body), type: 'text/plain' };
	return { content: Buffer.from(JSON.stringify(body ?? {})), type: 'application/json' };
}

export function jsonOf({ body }: Pick<Asked, 'body'>): Record<string, unknown> {
	return JSON.parse(body.toString()) as Record<string, unknown>;
}
