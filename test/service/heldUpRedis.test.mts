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

/** Claims that count the refills of the queue, including skipped ones. */
class CountingClaims extends Claims {
	refills = 0;

	override removeDead(): void {
		this.refills++;
		super.removeDead();
	}
}

/** Returns the number of commands with which a Redis has added to a queue. */
async function putsOf(redis: Redis): Promise<number> {
	const lines = [
		...(await redis.info('commandstats')).matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g),
	];
	return lines.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

await test('sends the waiting edits only once to a Redis that does not answer', async () => {
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
	await eventually('100 refills are due', () => (claims.refills > 100 ? true : undefined));
	redis.signal('SIGCONT');
	const { refills } = claims;
	const puts = (await putsOf(watcher)) - before;
	assert.ok(puts < refills / 2, `${puts} of ${refills}`);
	await queue.close();
	watcher.disconnect();
	await workbench.engine.close();
	database.close();
});
