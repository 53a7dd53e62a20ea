import { Claims } from '../store/claims.mts';
import type { Database } from '../store/database.mts';
import { connectRedis } from './redisConnection.mts';
import type { RedisWorkerOptions } from './redisWorker.mts';
import type { ProcessTools } from '../work/editTools.mts';
import type { QueueSettings } from '../shared/settings.mts';

/** Connects to Redis and returns what the Redis queue and its workers need. */
export async function openRedisWorkerOptions(
	{ url, leaseSeconds }: QueueSettings,
	concurrency: number,
	tools: ProcessTools,
	database: Database,
): Promise<RedisWorkerOptions> {
	return {
		tools,
		claims: new Claims(database, leaseSeconds * 1000),
		redis: await connectRedis(url, tools.log),
		queueName: tools.serviceName,
		concurrency,
	};
}
