import { Claims } from '../store/claims.mts';
import type { Database } from '../store/database.mts';
import { connectRedis } from './redisConnection.mts';
import type { RedisWorkerOptions } from './redisWorker.mts';
import type { Workbench } from '../work/workbench.mts';
import type { QueueSettings } from '../shared/settings.mts';

/** What `openRedisWorkerOptions` needs. */
interface Parts {
	settings: QueueSettings;
	workbench: Workbench;
	database: Database;
	concurrency: number;
}

/** Connects to Redis and returns what the Redis queue and its workers need. */
export async function openRedisWorkerOptions(parts: Parts): Promise<RedisWorkerOptions> {
	const { settings, workbench, database, concurrency } = parts;
	return {
		workbench,
		claims: new Claims(database, settings.leaseSeconds * 1000),
		redis: await connectRedis(settings.url, workbench.log),
		queueName: workbench.serviceName,
		concurrency,
	};
}
