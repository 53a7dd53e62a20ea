import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { Redis } from 'ioredis';
import { sql } from 'kysely';

import { openSharedLimits } from '../../http/protocol/rateLimits.mts';
import { RedisQueue } from '../../queue/redisQueue.mts';
import { readSettings } from '../../shared/settings.mts';
import { Claims } from '../../store/claims.mts';
import { execute } from '../support/databases.mts';
import { assertDoneOnce, startFleetOn, submit } from '../support/fleet.mts';
import { openParts } from '../support/openedParts.mts';
import { startSilentProxy } from '../support/silentProxy.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { eventually } from '../../../testkit/time/eventually.mts';
import { redisServer } from '../../../testkit/process/redisServer.mts';

/** Returns the number of commands with which a Redis has added to a queue. */
async function putsOf(redis: Redis): Promise<number> {
	const lines = [
		...(await redis.info('commandstats')).matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g),
	];
	return lines.reduce((sum, [, calls]) => sum + Number(calls), 0);
}

const hangUp = (redis: Redis) => {
	redis.disconnect();
};

await test('sends the waiting edits only once to a Redis that does not answer', async () => {
	await using redis = await redisServer();
	await using folder = await temporaryFolder();
	// A connection that is left open reconnects for ever and keeps this file from ending.
	await using open = new AsyncDisposableStack();
	const { tools, database } = open.use(await openParts(folder.path));
	const connection = open.adopt(new Redis(redis.url, { maxRetriesPerRequest: null }), hangUp);
	const watcher = open.adopt(new Redis(redis.url), hangUp);
	await Promise.all([connection.ping(), watcher.ping()]);
	// A refill is due every millisecond.
	const claims = new Claims(database, 1);
	const own = { tools, claims, redis: connection, queueName: 'test', concurrency: 0 };
	const queue = open.adopt(await RedisQueue.open(own), (opened) => opened.close());
	const before = await putsOf(watcher);
	await execute(
		database,
		sql`INSERT INTO edits (id, owner_id, status, created_at_ms, updated_at_ms, names, request)
			VALUES ('a', 'ann', 'PENDING', 0, 0, '', '{}')`,
	);
	redis.signal('SIGSTOP');
	await queue.resume();
	await wait(2_000);
	redis.signal('SIGCONT');
	await eventually('the edit arrives', async () => (await putsOf(watcher)) > before);
	// Redis answers a connection in order, so all that was sent to it meanwhile has arrived, too.
	await connection.ping();
	const puts = (await putsOf(watcher)) - before;
	assert.ok(puts < 200, String(puts));
});

await test('runs an edit although the connection to Redis went dead without an end', async () => {
	await using redis = await redisServer();
	await using proxy = await startSilentProxy(redis.port);
	await using fleet = await startFleetOn(`redis://127.0.0.1:${proxy.port}`, 1);
	await assertDoneOnce(fleet, await submit(fleet.client));
	proxy.fallSilent();
	await assertDoneOnce(fleet, await submit(fleet.client));
});

await test('counts requests again although the connection to Redis went dead without an end', async () => {
	await using redis = await redisServer();
	await using proxy = await startSilentProxy(redis.port);
	const queue = ['--queue', `redis://127.0.0.1:${proxy.port}`];
	const settings = readSettings([...queue, '--database', 'postgres://localhost/any']);
	const limits = await openSharedLimits(settings, 'test');
	assert.ok(limits);
	using open = new DisposableStack();
	open.adopt(limits.redis, hangUp);
	const count = () => limits.redis.incr('count').catch(() => undefined);
	await eventually('it counts', count);
	proxy.fallSilent();
	assert.equal(await count(), undefined);
	assert.ok(await eventually('it counts again', count));
});
