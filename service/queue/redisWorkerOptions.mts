import { Claims } from '../store/claims.mts';
import type { Database } from '../store/database.mts';
import { connectRedis } from './redisConnection.mts';
import type { RedisWorkerOptions } from './redisWorker.mts';
import type { Workbench } from '../work/workbench.mts';
import type { QueueSettings } from '../shared/settings.mts';

/** Connects to Redis and returns what the Redis queue and its workers need. */
export async function openRedisWorkerOptions(
	{ url, leaseSeconds }: QueueSettings,
	concurrency: number,
	workbench: Workbench,
	database: Database,
): Promise<RedisWorkerOptions> {
	return {
		workbench,
		claims: new Claims(database, leaseSeconds * 1000),
		redis: await connectRedis(url, workbench.log),
		queueName: workbench.serviceName,
		concurrency,
	};
}
