import type { FastifyInstance } from 'fastify';

import { OPENAPI_DOCUMENT } from '../shared/contract.mts';

/** GET /ping and /health, whose keys are our own (api.md#open-endpoints), and the interface for tools. */
export function healthRoutes(routes: FastifyInstance): void {
	routes.get('/ping', () => ({ ping: 'pong' }));
	routes.get('/health', () => ({ status: 'ok' }));
	routes.get('/openapi.json', () => OPENAPI_DOCUMENT);
}
