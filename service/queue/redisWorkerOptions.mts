import type { DatabaseSync } from 'node:sqlite';

import { Claims } from '../store/claims.mts';
import { connectRedis } from './redisConnection.mts';
import { queueNameOf } from './redisQueue.mts';
import type { RedisWorkerOptions } from './redisWorker.mts';
import type { Workbench } from '../work/workbench.mts';
import type { Secrets } from '../store/secrets.mts';
import type { QueueSettings } from '../shared/settings.mts';

/** What `openRedisWorkerOptions` needs. */
interface Parts {
	settings: QueueSettings;
	workbench: Workbench;
	database: DatabaseSync;
	secrets: Secrets;
	concurrency: number;
}

/** Connects to Redis and returns what the Redis queue and its workers need. */
export async function openRedisWorkerOptions(parts: Parts): Promise<RedisWorkerOptions> {
	const { settings, workbench, database, secrets, concurrency } = parts;
	return {
		workbench,
		claims: new Claims(database, settings.leaseSeconds * 1000),
		redis: await connectRedis(settings.url, workbench.log),
		queueName: queueNameOf(secrets.linkSecret),
		concurrency,
	};
}
