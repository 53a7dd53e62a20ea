import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startChildService, startChildWorker } from '../../../testkit/service/childService.mts';
import { Client, finishedFile } from '../../../testkit/service/client.mts';
import { submit } from '../support/fleet.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { QUICK } from '../../../testkit/service/testService.mts';
import { postgresServer } from '../../../testkit/process/postgresServer.mts';
import { redisServer } from '../../../testkit/process/redisServer.mts';

await using folder = await temporaryFolder();
await using postgres = await postgresServer();
await using redis = await redisServer();

/** Starts two processes that answer requests and a worker, on one database. */
async function startFronts(name: string, ...flags: string[]) {
	const places = ['--queue', redis.url, '--database', postgres.urlOf(name)];
	const shared = [...QUICK, ...places, ...flags];
	// Ends those that started if another one does not.
	await using stack = new AsyncDisposableStack();
	const front = async () =>
		stack.use(await startChildService(folder.path, '--concurrency', '0', ...shared));
	const one = await front();
	const other = await front();
	const worker = stack.use(await startChildWorker(folder.path, '--concurrency', '1', ...shared));
	const started = stack.move();
	return { one, other, worker, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

await test('every process knows the edits that another one accepted', async () => {
	await using fronts = await startFronts('together');
	const { one, other } = fronts;
	assert.equal(one.client.key, other.client.key);
	const id = await submit(one.client);
	const { result } = await finishedFile(await other.client.ended(id));
	const link = new URL(result.download_url ?? '');
	const answer = await fetch(new URL(link.pathname + link.search, one.client.url));
	assert.equal(answer.status, 200);
	assert.equal((await one.client.call('DELETE', `/v2/edits/${id}`)).status, 200);
	assert.equal((await other.client.edit(id)).status, 'PENDING');
	assert.equal((await fetch(link)).status, 404);
});

await test('processes count the requests of a key together, and each key separately', async () => {
	const limits = ['--status-calls-per-minute', '10', '--submissions-per-minute', '5'];
	const keys = ['--api-key', 'ann', '--api-key', 'bob'];
	await using fronts = await startFronts('limits', ...limits, ...keys);
	const [one, other] = [fronts.one.client.url, fronts.other.client.url];
	const statusOf = async (key: string, number: number) => {
		const client = new Client(number % 2 === 0 ? one : other, key);
		return (await client.call('GET', '/v2/edits/none')).status;
	};
	const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => statusOf('ann', at)));
	assert.equal(answers.filter((status) => status === 200).length, 10);
	assert.equal(answers.filter((status) => status === 429).length, 6);
	assert.equal(await statusOf('bob', 0), 200);
	// Submissions have their own count.
	const links = Array.from({ length: 5 }, () => new Client(one, 'ann').uploadLink('a.wav'));
	await Promise.all(links);
	await redis.kill();
	assert.equal(await statusOf('ann', 1), 200);
	await redis.start();
});
