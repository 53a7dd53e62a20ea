import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

/** A received request with its whole body. */
export interface Visit {
	method: string;
	/** Path and query. */
	url: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** A web server outside the service: the client's storage, or the host of a source. */
export type OutsideServer = Awaited<ReturnType<typeof startOutsideServer>>;

/** Starts a server on a free port. `answer` gets each visit and the number of visits before it. */
export async function startOutsideServer(
	answer: (visit: Visit, response: ServerResponse, before: number) => void,
) {
	const visits: Visit[] = [];
	const server = createServer((request, response) => {
		const chunks: Uint8Array[] = [];
		request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const visit = { method, url, headers, body: Buffer.concat(chunks) };
			visits.push(visit);
			answer(visit, response, visits.length - 1);
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		visits,
		openConnections: promisify(server.getConnections.bind(server)),
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export function reply(response: ServerResponse, status: number, body: Buffer | string = ''): void {
	response.writeHead(status, { 'Content-Length': Buffer.byteLength(body) }).end(body);
}

export function answering(status: number, body?: Buffer) {
	return (_visit: Visit, response: ServerResponse): void => {
		reply(response, status, body);
	};
}
