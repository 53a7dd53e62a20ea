/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they watch what the process does */
import { subscribe, unsubscribe } from 'diagnostics_channel';
import type { ClientRequest } from 'http';

/** The channel is the process's, and jest runs many test files in one process. */
const REQUEST_CREATED = 'http.client.request.created';

const underWay = new Set<ClientRequest>();

/** How many requests of this test file have begun, have not closed, and do not wait for time alone. */
export const requestsUnderWay = (): number => underWay.size;

/** What other processes work on, for which the leaping clock waits, too. */
export const workElsewhere = new Set<string>();

/**
 * Does not count a request as under way during `wait`. A server in this process calls this when it holds
 * its answer back, since then only time can end the request.
 *
 * @param clientPort the port of the request's connection at the client
 */
export async function whileHeldBack(clientPort = 0, wait: () => Promise<unknown>): Promise<void> {
	const held = [...underWay].filter(({ socket }) => socket?.localPort === clientPort);
	for (const request of held) underWay.delete(request);
	await wait();
	for (const request of held) if (!request.closed) underWay.add(request);
}

function count(message: unknown): void {
	const { request } = message as { request: ClientRequest };
	underWay.add(request);
	// A request closes after its response was read completely, or aborted.
	request.once('close', () => underWay.delete(request));
}

/** Counts the requests from now on. */
export const watchRequests = (): void => subscribe(REQUEST_CREATED, count);

/** Counts no more requests. */
export const unwatchRequests = (): void => void unsubscribe(REQUEST_CREATED, count);
