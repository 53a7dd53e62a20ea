import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import { startScriptedService } from './fake/scriptedService.ts';

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
	const server = await startScriptedService(({ method, path, headers, bytes }) => (response) => {
		const visit = { method, url: path, headers, body: bytes };
		visits.push(visit);
		answer(visit, response, visits.length - 1);
	});
	return {
		url: server.url,
		visits,
		openConnections: server.connections,
		[Symbol.asyncDispose]: server.stop,
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
