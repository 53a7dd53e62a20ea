import type { FastifyInstance } from 'fastify';

import type { ServiceContext } from './context.mts';

/**
 * GET /v1/account, spec "Account check", and /v2/account, where an older reference shows it. The
 * local service counts no credit down.
 */
export function accountRoutes(routes: FastifyInstance, { settings }: ServiceContext): void {
	for (const path of ['/v1/account', '/v2/account']) {
		routes.get(path, () => ({
			credit: { total: settings.credit, subscription: settings.credit, payg: 0 },
			meta: { service: 'local' },
		}));
	}
}
