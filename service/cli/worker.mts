import { setTimeout as wait } from 'node:timers/promises';

import type { Database } from '../store/database.mts';
import { objectStorageOf } from '../store/files/fileStore.mts';
import { announcedFront, NO_FRONT, type Front } from '../store/front.mts';
import { RedisWorker } from '../queue/redisWorker.mts';
import { openTools, type LocalService } from './localService.mts';
import type { EditTools } from '../work/editTools.mts';
import type { Log } from '../shared/log.mts';
import { openRedisWorkerOptions } from '../queue/redisWorkerOptions.mts';
import { keepDoing, sweeping, sweepScratch } from '../work/retention.mts';
import { type Settings, WrongUsage } from '../shared/settings.mts';

/** Real milliseconds between looks for a process that answers requests. */
const FRONT_POLL_MS = 250;

/** Waits for a process that answers requests: without one, there are no edits. */
async function firstFront(database: Database, log: Log): Promise<Front> {
	for (let look = 0; ; look++) {
		const front = await announcedFront(database);
		if (front !== NO_FRONT) return front;
		if (look === 0) log('waiting for the process that answers requests');
		await wait(FRONT_POLL_MS);
	}
}

/** @throws WrongUsage when the process that answers requests keeps its files elsewhere. */
function refuseOtherFiles({ files }: EditTools, { objectStorage }: Front): void {
	const own = objectStorageOf(files);
	if (objectStorage === undefined || objectStorage === own) return;
	throw new WrongUsage(
		`The process that answers requests keeps files in ${objectStorage ?? 'its --storage folder'}, ` +
			`but this worker in ${own ?? 'its --storage folder'}: give both the same --files`,
	);
}

/**
 * Starts a worker, which runs the edits of a service that shares its database and files.
 * @throws WrongUsage without a queue or with other `--files` than the service; Error when a service
 * without `--queue` is using the folder.
 */
export async function startWorker(
	settings: Settings,
	log: Log,
): Promise<Pick<LocalService, 'acquitEdits' | 'close'>> {
	const { queue, concurrency } = settings;
	if (queue === undefined) throw new WrongUsage('--worker needs --queue');
	let front = NO_FRONT;
	const { tools, database, close } = await openTools(settings, log, () => front);
	refuseOtherFiles(tools, await firstFront(database, log));
	const redisOptions = await openRedisWorkerOptions(queue, concurrency, tools, database);
	// Read for each edit: the process that answers requests may restart with other flags.
	const beforeEdit = async () => {
		front = await announcedFront(database);
	};
	const closing = new AbortController();
	const doing = keepDoing(tools, [sweeping(() => sweepScratch(tools))], closing.signal);
	const worker = await RedisWorker.start({ ...redisOptions, beforeEdit });
	return {
		acquitEdits: () => tools.attempts.uncountAll(),
		close: async () => {
			closing.abort();
			await Promise.all([worker.close(), doing]);
			redisOptions.redis.disconnect();
			await close();
		},
	};
}
