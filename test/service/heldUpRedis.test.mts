import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Redis } from 'ioredis';

import { Claims } from '../../service/store/claims.mts';
import { RedisQueue } from '../../service/queue/redisQueue.mts';
import { openWorkbench } from '../../service/cli/localService.mts';
import { eventually } from './support/client.mts';
import { redisServer } from './support/redisServer.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { readSettings } from '../../service/shared/settings.mts';

/** Claims that count how often the queue was filled, or was about to be. */
class CountingClaims extends Claims {
	fillings = 0;

	override removeDead(): void {
		this.fillings++;
		super.removeDead();
	}
}

/** How many commands a Redis has carried out that put something into a queue. */
async function putsOf(redis: Redis): Promise<number> {
	const lines = [
		...(await redis.info('commandstats')).matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g),
	];
	return lines.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

await test('a Redis that answers nothing is given the waiting edits once, not again and again', async () => {
	await using redis = await redisServer();
	await redis.start();
	await using folder = await temporaryFolder();
	const settings = readSettings(['--storage', folder.path]);
	const { workbench, database } = await openWorkbench(settings, () => undefined);
	const claims = new CountingClaims(database, 1);
	const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
	const watcher = new Redis(redis.url);
	await Promise.all([connection.ping(), watcher.ping()]);
	const own = { workbench, claims, redis: connection, queueName: 'test', concurrency: 0 };
	const queue = await RedisQueue.open(own);
	const before = await putsOf(watcher);
	database
		.prepare(
			`INSERT INTO jobs (id, owner_id, status, created_at_ms, updated_at_ms, request)
			VALUES ('a', 'ann', 'PENDING', 0, 0, '{}')`,
		)
		.run();
	redis.signal('SIGSTOP');
	queue.resume();
	await eventually('it was to be filled often', () => (claims.fillings > 100 ? true : undefined));
	redis.signal('SIGCONT');
	const asked = claims.fillings;
	const puts = (await putsOf(watcher)) - before;
	assert.ok(puts < asked / 2, `${puts} of ${asked}`);
	await queue.close();
	watcher.disconnect();
	await workbench.engine.close();
	database.close();
});
