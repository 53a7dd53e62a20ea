/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they watch what the process does */
import { subscribe, unsubscribe } from 'diagnostics_channel';
import type { ClientRequest } from 'http';

/** The channel is the process's, and jest runs many test files in one process. */
const REQUEST_CREATED = 'http.client.request.created';

let underWay = 0;

/** How many requests of this test file have begun and not closed. */
export const requestsUnderWay = (): number => underWay;

function count(message: unknown): void {
	underWay += 1;
	// A request closes after its response was read completely, or aborted.
	(message as { request: ClientRequest }).request.once('close', () => {
		underWay -= 1;
	});
}

// jest loads this file before each test file, because a test must not add a hook.
beforeAll(() => subscribe(REQUEST_CREATED, count));
afterAll(() => unsubscribe(REQUEST_CREATED, count));
