import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';

import type { Plan } from '../../shared/accounts.mts';
import type { ServiceClock } from '../../shared/clock.mts';
import { RATE_WINDOW_MS } from '../../shared/contract.mts';
import { reconnectWhenSilent } from '../../queue/redisConnection.mts';
import type { Settings } from '../../shared/settings.mts';
import { RateLimitProblem } from './problems.mts';

/** Real milliseconds to wait for Redis to count a request. */
const COUNTING_PATIENCE_MS = 500;

/** The options of `@fastify/rate-limit` for counting in Redis; undefined for a single process. */
export type SharedLimits = Awaited<ReturnType<typeof openSharedLimits>>;

/**
 * Opens the Redis connection with which the processes that answer requests count them together. While
 * Redis is away, requests are answered without being counted. Returns undefined without `--database`: then
 * a single process counts in its memory.
 */
export async function openSharedLimits({ queue, database }: Settings, queueName: string) {
	if (queue === undefined || database === undefined) return undefined;
	const { Redis } = await import('ioredis');
	const redis = new Redis(queue.url, {
		enableOfflineQueue: false,
		maxRetriesPerRequest: 0,
		commandTimeout: COUNTING_PATIENCE_MS,
	});
	// The queue's connection to the same Redis logs outages.
	redis.on('error', () => undefined);
	reconnectWhenSilent(redis);
	return { redis, nameSpace: `${queueName}-limit-`, skipOnError: true };
}

/**
 * Returns a maker of hooks that limit requests per API key and minute of service time (api.md#limits).
 * All routes with the same hook share one rate limit. It takes a name that distinguishes the limit from
 * others of the same key, and the limit of each plan.
 */
export function limitPerMinute(app: FastifyInstance, clock: ServiceClock) {
	const timeWindow = Math.max(1, Math.round(clock.realMs(RATE_WINDOW_MS)));
	return (what: string, perMinute: Readonly<Record<Plan, number>>): onRequestAsyncHookHandler => {
		const limit = app.rateLimit({
			max: (request) => perMinute[request.plan],
			timeWindow,
			keyGenerator: (request) => `${what} ${request.ownerId}`,
			errorResponseBuilder: () =>
				new RateLimitProblem('Rate limit exceeded. Please try again later.'),
		});
		return async function limitRequests(request, reply) {
			await limit.call(this, request, reply);
		};
	};
}
