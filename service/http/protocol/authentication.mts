import type { FastifyInstance } from 'fastify';

import type { Accounts, Plan } from '../../shared/accounts.mts';
import { HttpProblem } from './problems.mts';

declare module 'fastify' {
	interface FastifyRequest {
		/** The owner of the request's API key; empty on routes without authentication. */
		ownerId: string;
		/** The plan of the request's API key. */
		plan: Plan;
	}
}

/**
 * Answers requests without an accepted X-API-Key with 401 (api.md#authentication), before any other
 * check and before the rate limit counts them.
 */
export function requireApiKey(routes: FastifyInstance, accounts: Accounts): void {
	routes.addHook('onRequest', (request, _reply, done) => {
		const apiKey = request.headers['x-api-key'];
		const account = typeof apiKey === 'string' ? accounts.accountOf(apiKey) : undefined;
		if (account === undefined) throw new HttpProblem(401, 'API key missing or invalid');
		request.ownerId = account.ownerId;
		request.plan = account.plan;
		done();
	});
}
