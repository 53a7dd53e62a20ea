import type { FastifyInstance } from 'fastify';

/** GET /ping and GET /health, spec "Service endpoints": JSON whose keys the spec leaves open. */
export function healthRoutes(routes: FastifyInstance): void {
	routes.get('/ping', () => ({ ping: 'pong' }));
	routes.get('/health', () => ({ status: 'ok' }));
}
