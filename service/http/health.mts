import type { FastifyInstance } from 'fastify';

/** GET /ping and GET /health, spec "Service endpoints". The spec does not define the JSON keys. */
export function healthRoutes(routes: FastifyInstance): void {
	routes.get('/ping', () => ({ ping: 'pong' }));
	routes.get('/health', () => ({ status: 'ok' }));
}
