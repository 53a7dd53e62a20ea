/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- the tests are no community node: they watch what the process does */
import { subscribe } from 'diagnostics_channel';
import type { ClientRequest } from 'http';

import { VirtualTime } from './virtualTime';

/**
 * Replaces `api/time` in tests that run nodes through n8n's engine over real HTTP: time stands still
 * while a request is under way or the engine works, and jumps when everybody sleeps.
 *
 * Use: `jest.mock('../../api/time', () => jest.requireActual('../support/engineTime'))`, and let the
 * time pass with {@link inVirtualTime}.
 */
export const systemTime = new VirtualTime(Date.UTC(2026, 0, 1));

/** Turns of the event loop without a request or a file after which only sleepers are left. */
const QUIET_TURNS = 40;

/**
 * A time limit is long, and jumping to it would end a transfer that a busy machine holds up: for jumps
 * over this long the quiet has to last for this long in real time.
 */
const LONG_JUMP_MS = 600_000;
const LONG_QUIET_MS = 200;

let requestsUnderWay = 0;
let quietTurns = 0;
let quietSinceMs = 0;

subscribe('http.client.request.created', (message) => {
	requestsUnderWay += 1;
	// A request closes when its answer was read to the end, or given up.
	(message as { request: ClientRequest }).request.once('close', () => {
		requestsUnderWay -= 1;
	});
});

function isBusy(jumpMs: number): boolean {
	const usesFiles = process.getActiveResourcesInfo().some((name) => name.startsWith('FS'));
	if (requestsUnderWay > 0 || usesFiles) stir();
	else quietTurns += 1;
	if (quietTurns < QUIET_TURNS) return true;
	return jumpMs > LONG_JUMP_MS && performance.now() - quietSinceMs < LONG_QUIET_MS;
}

function stir(): void {
	quietTurns = 0;
	quietSinceMs = performance.now();
}

/** Runs the work and lets the nodes' time pass whenever nothing else is going on. */
export async function inVirtualTime<T>(work: Promise<T>): Promise<T> {
	stir();
	return await systemTime.run(work, isBusy);
}
