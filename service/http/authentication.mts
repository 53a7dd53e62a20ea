import type { FastifyInstance } from 'fastify';

import type { Accounts, Plan } from '../shared/accounts.mts';
import { HttpProblem } from './problems.mts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Whose API key the request carries; empty on routes without authentication. */
		ownerId: string;
		/** The plan of that key. */
		plan: Plan;
	}
}

/**
 * Lets only requests with an accepted X-API-Key into the given routes, spec "Authentication": 401
 * before anything else, also before the request counts against a rate limit.
 */
export function requireApiKey(routes: FastifyInstance, accounts: Accounts): void {
	routes.addHook('onRequest', async (request) => {
		const apiKey = request.headers['x-api-key'];
		const account = typeof apiKey === 'string' ? accounts.accountOf(apiKey) : undefined;
		if (account === undefined) throw new HttpProblem(401, 'API key missing or invalid');
		request.ownerId = account.ownerId;
		request.plan = account.plan;
		await Promise.resolve();
	});
}
