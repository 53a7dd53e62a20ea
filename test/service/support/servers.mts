import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

/** A received request with its whole body. */
export interface Visit {
	method: string;
	/** Path and query. */
	url: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** A web server outside the service: the client's storage, or the host of a source. */
export interface OutsideServer extends AsyncDisposable {
	url: string;
	visits: Visit[];
	/** Returns the number of open connections. */
	openConnections(): Promise<number>;
}

/** Starts a server on a free port. `answer` gets each visit and the number of visits before it. */
export async function startOutsideServer(
	answer: (visit: Visit, response: ServerResponse, before: number) => void,
): Promise<OutsideServer> {
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
	await new Promise<void>((resolve) => {
		server.listen(0, '127.0.0.1', resolve);
	});
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('no port');
	return {
		url: `http://127.0.0.1:${address.port}`,
		visits,
		openConnections: () =>
			new Promise((resolve, reject) => {
				server.getConnections((error, count) => {
					if (error === null) resolve(count);
					else reject(error);
				});
			}),
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Ends a response with a status and a body. */
export function reply(response: ServerResponse, status: number, body: Buffer | string = ''): void {
	response.writeHead(status, { 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/** Answers every visit alike. */
export function answering(status: number, body?: Buffer) {
	return (_visit: Visit, response: ServerResponse): void => {
		reply(response, status, body);
	};
}
