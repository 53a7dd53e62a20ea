import { announcedFront, NO_FRONT } from './jobs/front.mts';
import { RedisWorker } from './jobs/redisWorker.mts';
import { openJobRoom } from './localService.mts';
import type { Log } from './log.mts';
import { openRedisRoom } from './redisRoom.mts';
import { readOrMakeSecrets } from './secrets.mts';
import { WrongUsage, type Settings } from './settings.mts';

/**
 * Starts a process that works on the edits of a service with which it shares the storage folder.
 * @throws WrongUsage without a queue, Error when a service that shares it with nobody uses the folder.
 */
export async function startWorker(
	settings: Settings,
	log: Log,
): Promise<{ close(): Promise<void> }> {
	const { queue, concurrency, storageFolder } = settings;
	if (queue === undefined) throw new WrongUsage('--worker needs --queue');
	const secrets = readOrMakeSecrets(storageFolder);
	let front = NO_FRONT;
	const { room, database } = await openJobRoom(settings, log, () => front);
	const redisRoom = await openRedisRoom({ settings: queue, room, database, secrets, concurrency });
	// Read for each edit: the process that answers requests may come back with other flags.
	const beforeEdit = () => {
		front = announcedFront(database);
	};
	const worker = await RedisWorker.start({ ...redisRoom, beforeEdit });
	return {
		close: async () => {
			await worker.close();
			redisRoom.redis.disconnect();
			await room.engine.close();
			database.close();
		},
	};
}
