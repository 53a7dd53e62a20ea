import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';

import type { Plan } from '../shared/accounts.mts';
import type { ServiceClock } from '../shared/clock.mts';
import { RATE_WINDOW_MS } from '../shared/contract.mts';
import { RateLimitProblem } from './problems.mts';

/**
 * A budget of requests a minute (of service time) for each API key, spec "Limits". Every route that
 * uses the returned hook takes from the same budget.
 *
 * @param requestsPerMinute what the plan of a key allows.
 */
export function budgetPerMinute(
	app: FastifyInstance,
	requestsPerMinute: Readonly<Record<Plan, number>>,
	clock: ServiceClock,
): onRequestAsyncHookHandler {
	const limit = app.rateLimit({
		max: (request) => requestsPerMinute[request.plan],
		timeWindow: Math.max(1, Math.round(clock.realMs(RATE_WINDOW_MS))),
		keyGenerator: (request) => request.ownerId,
		errorResponseBuilder: () =>
			new RateLimitProblem('Rate limit exceeded. Please try again later.'),
	});
	return async function limitRequests(request, reply) {
		await limit.call(this, request, reply);
	};
}
