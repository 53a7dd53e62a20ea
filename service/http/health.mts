import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import type { ServiceContext } from './context.mts';
import { OPENAPI_DOCUMENT } from '../shared/contract.mts';

/** Real milliseconds that /health waits for the database: without it, the service still answers. */
const PATIENCE_MS = 1_000;

/** GET /ping and /health, whose keys are our own (api.md#open-endpoints), and the interface for tools. */
export function healthRoutes(routes: FastifyInstance, { tools }: ServiceContext): void {
	routes.get('/ping', () => ({ ping: 'pong' }));
	routes.get('/health', async () => {
		const waiting = tools.reviews.waiting().catch(() => undefined);
		const count = await Promise.race([waiting, wait(PATIENCE_MS, undefined, { ref: false })]);
		return { status: 'ok', reviews_waiting: count };
	});
	routes.get('/openapi.json', () => OPENAPI_DOCUMENT);
}
