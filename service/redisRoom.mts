import type { DatabaseSync } from 'node:sqlite';

import { Claims } from './jobs/claims.mts';
import { connectRedis } from './jobs/redisConnection.mts';
import { queueNameOf } from './jobs/redisQueue.mts';
import type { RedisWorkerRoom } from './jobs/redisWorker.mts';
import type { JobRoom } from './jobs/run.mts';
import type { Secrets } from './secrets.mts';
import type { QueueSettings } from './settings.mts';

/** What the queue on Redis is put together from. */
interface Parts {
	settings: QueueSettings;
	room: JobRoom;
	database: DatabaseSync;
	secrets: Secrets;
	concurrency: number;
}

/** Puts together what the queue on Redis and its workers need. */
export async function openRedisRoom(parts: Parts): Promise<RedisWorkerRoom> {
	const { settings, room, database, secrets, concurrency } = parts;
	return {
		room,
		claims: new Claims(database, settings.leaseSeconds * 1000),
		redis: await connectRedis(settings.url, room.log),
		queueName: queueNameOf(secrets.linkSecret),
		concurrency,
	};
}
