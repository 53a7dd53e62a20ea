import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';

import type { Plan } from '../shared/accounts.mts';
import type { ServiceClock } from '../shared/clock.mts';
import { RATE_WINDOW_MS } from '../shared/contract.mts';
import { RateLimitProblem } from './problems.mts';

/**
 * Returns a hook that limits requests per API key and minute of service time, spec "Limits". All
 * routes with the same hook share one rate limit.
 *
 * @param requestsPerMinute the limit of each plan.
 */
export function limitPerMinute(
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
