import type { FastifyInstance } from 'fastify';

import type { ServiceContext } from './context.mts';

/**
 * GET /v1/account (api.md#account), and /v2/account, its path in an older reference. The local
 * service charges no credit.
 */
export function accountRoutes(routes: FastifyInstance, { settings }: ServiceContext): void {
	for (const path of ['/v1/account', '/v2/account']) {
		routes.get(path, () => ({
			credit: { total: settings.credit, subscription: settings.credit, payg: 0 },
			meta: { service: 'local' },
		}));
	}
}
