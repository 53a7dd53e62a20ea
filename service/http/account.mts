import type { FastifyInstance } from 'fastify';

import type { ServiceContext } from '../context.mts';

/** GET /v1/account, spec "Account check". The local service counts no credit down. */
export function accountRoutes(routes: FastifyInstance, { settings }: ServiceContext): void {
	routes.get('/v1/account', () => ({
		credit: { total: settings.credit, subscription: settings.credit, payg: 0 },
		meta: { service: 'local' },
	}));
}
