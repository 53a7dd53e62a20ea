import { announcedFront, NO_FRONT } from '../store/front.mts';
import { RedisWorker } from '../queue/redisWorker.mts';
import { openWorkbench } from './localService.mts';
import type { Log } from '../shared/log.mts';
import { openRedisWorkerOptions } from '../queue/redisWorkerOptions.mts';
import { readOrMakeSecrets } from '../store/secrets.mts';
import type { Settings } from '../shared/settings.mts';
import { WrongUsage } from '../shared/settings.mts';

/**
 * Starts a worker, which runs the edits of a service that shares its storage folder.
 * @throws WrongUsage without a queue; Error when a service without `--queue` is using the folder.
 */
export async function startWorker(
	settings: Settings,
	log: Log,
): Promise<{ close(): Promise<void> }> {
	const { queue, concurrency, storageFolder } = settings;
	if (queue === undefined) throw new WrongUsage('--worker needs --queue');
	const secrets = readOrMakeSecrets(storageFolder);
	let front = NO_FRONT;
	const { workbench, database } = await openWorkbench(settings, log, () => front);
	const redisOptions = await openRedisWorkerOptions({
		settings: queue,
		workbench,
		database,
		secrets,
		concurrency,
	});
	// Read for each edit: the process that answers requests may restart with other flags.
	const beforeEdit = () => {
		front = announcedFront(database);
	};
	const worker = await RedisWorker.start({ ...redisOptions, beforeEdit });
	return {
		close: async () => {
			await worker.close();
			redisOptions.redis.disconnect();
			await workbench.engine.close();
			database.close();
		},
	};
}
