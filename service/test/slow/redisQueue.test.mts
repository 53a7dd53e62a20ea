import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { Queue } from 'bullmq';

import { DEFAULT_EDIT_LIMITS } from '../../shared/editLimits.mts';
import { announceFront } from '../../store/front.mts';
import { readOrMakeSecrets, serviceNameOf } from '../../store/secrets.mts';
import { openSharedSqlite } from '../../store/sqlite.mts';
import { startChildService, startChildWorker } from '../../../testkit/service/childService.mts';
import { Client, finishedFile } from '../../../testkit/service/client.mts';
import {
	assertDoneOnce,
	attemptsOf,
	linesOf,
	others,
	startFleetOn,
	submit,
	workerIn,
} from '../support/fleet.mts';
import { PLAIN as config, shortRecording, SILENCES } from '../../../testkit/service/recordings.mts';
import { answering, startOutsideServer } from '../../../testkit/service/servers.mts';
import { speechWithShortSilence } from '../../../testkit/service/signals.mts';
import { ANNS_KEY, BOBS_KEY } from '../../../testkit/service/testService.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { eventually } from '../../../testkit/time/eventually.mts';
import { redisServer } from '../../../testkit/process/redisServer.mts';

await using redis = await redisServer();

const startFleet = (workers: number, ...flags: string[]) =>
	startFleetOn(redis.url, workers, ...flags);

await test('after kill -9 of a worker the other one runs its edit, once', async () => {
	await using fleet = await startFleet(2, '--min-state-seconds', '0.6', '--lease-seconds', '5');
	const id = await submit(fleet.client);
	const killed = await workerIn(fleet, id, 'POSTPROCESSING');
	await killed.kill('SIGKILL');
	const left = await readdir(join(fleet.storage, 'edits', id));
	assert.ok(left.includes('work') && !left.includes('result'), left.join());
	await assertDoneOnce(fleet, id);
	const lines = others(fleet, killed).flatMap((worker) => linesOf(worker, id));
	assert.match(lines.join('\n'), /RETRY: its worker died[^]*PREPROCESSING[^]*SUCCESS/);
	// One attempt remains from the killed worker; the successful run took back its own.
	assert.equal(attemptsOf(fleet, id), 1);
});

await test('a stopping worker returns its edit to the queue immediately', async () => {
	// The lease is too long for the test to wait for its end.
	const flags = ['--min-state-seconds', '1', '--lease-seconds', '3600'];
	await using fleet = await startFleet(2, ...flags);
	const id = await submit(fleet.client);
	const stopped = await workerIn(fleet, id, 'PREPROCESSING');
	assert.deepEqual(await stopped.kill('SIGTERM'), { code: 0, signal: null });
	assert.match(linesOf(stopped, id).at(-1) ?? '', /RETRY: its worker is stopping/);
	await assertDoneOnce(fleet, id);
	assert.equal(attemptsOf(fleet, id), 0);
});

await test('deleting an edit stops the worker that runs it', async () => {
	await using fleet = await startFleet(1, '--min-state-seconds', '0.6');
	const running = await submit(fleet.client);
	const waiting = await submit(fleet.client);
	const worker = await workerIn(fleet, running, 'POSTPROCESSING');
	for (const id of [waiting, running]) {
		assert.equal((await fleet.client.call('DELETE', `/v2/edits/${id}`)).status, 200);
	}
	// The service answers only after the work has stopped.
	assert.match(linesOf(worker, running).at(-1) ?? '', /released: it was deleted/);
	assert.deepEqual(await readdir(join(fleet.storage, 'edits')), []);
	assert.deepEqual(await readdir(join(fleet.storage, 'uploads')), []);
	const next = await submit(fleet.client);
	await assertDoneOnce(fleet, next);
	assert.deepEqual(await readdir(join(fleet.storage, 'edits')), [next]);
	assert.deepEqual(linesOf(worker, waiting), []);
	assert.ok(!linesOf(worker, running).some((line) => /EXPORT|SUCCESS|FAILURE/.test(line)));
});

await test('deletes an edit while Redis does not answer', async () => {
	await using fleet = await startFleet(1, '--min-state-seconds', '0.6');
	const id = await submit(fleet.client);
	await workerIn(fleet, id, 'PREPROCESSING');
	redis.signal('SIGSTOP');
	try {
		assert.equal((await fleet.client.call('DELETE', `/v2/edits/${id}`)).status, 200);
		assert.deepEqual(await readdir(join(fleet.storage, 'edits')), []);
	} finally {
		redis.signal('SIGCONT');
	}
});

await test('loses no edit and runs none twice when Redis dies and loses its data', async () => {
	await using fleet = await startFleet(1, '--min-state-seconds', '0.6', '--lease-seconds', '5');
	const running = await submit(fleet.client);
	const queued = await submit(fleet.client);
	await workerIn(fleet, running, 'PREPROCESSING');
	await redis.kill();
	const late = await submit(fleet.client);
	await eventually('the log reports it', () =>
		fleet.front.log.find((line) => /queue: cannot reach redis:/.test(line)),
	);
	assert.equal((await fleet.client.ended(running)).status, 'SUCCESS');
	assert.equal((await fleet.client.edit(late)).status, 'PENDING');
	await redis.start();
	for (const id of [running, queued, late]) {
		await assertDoneOnce(fleet, id);
		const starts = fleet.crew.flatMap((worker) =>
			linesOf(worker, id).filter((line) => line.includes(' PREPROCESSING ')),
		);
		assert.equal(starts.length, 1);
	}
	for (const { log } of [fleet.front, ...fleet.crew]) {
		assert.equal(log.filter((line) => line.includes('cannot reach')).length, 1, log.join('\n'));
	}
});

await test("hands out an edit by the number of its key's edits before it", async () => {
	const keys = ['--api-key', ANNS_KEY, '--api-key', BOBS_KEY];
	await using fleet = await startFleet(0, '--lease-seconds', '1', ...keys);
	const [ann, bob] = [ANNS_KEY, BOBS_KEY].map((key) => new Client(fleet.client.url, key));
	const [first, ...more] = [await submit(ann), await submit(ann), await submit(ann)];
	const [last] = [await submit(bob)];
	const queueName = serviceNameOf(readOrMakeSecrets(fleet.storage));
	const queue = new Queue(queueName, { connection: { url: redis.url } });
	const priorities = (...ids: readonly string[]) =>
		Promise.all(ids.map(async (id) => (await queue.getJob(id))?.priority));
	try {
		const all = [first, ...more, last];
		const areQueued = async () => !(await priorities(...all)).includes(undefined);
		await eventually('all are queued', areQueued);
		assert.deepEqual(await priorities(...all), [0, 1, 2, 0]);
		await ann.call('DELETE', `/v2/edits/${first}`);
		await eventually('the others move up', async () => {
			return (await priorities(...more)).join() === '0,1';
		});
	} finally {
		await queue.close();
	}
	const worker = await fleet.addWorker();
	for (const [client, id] of [
		[ann, more[0]],
		[ann, more[1]],
		[bob, last],
	] as const) {
		assert.equal((await client.ended(id)).status, 'SUCCESS');
	}
	const begun = worker.log.filter((line) => line.includes(' PREPROCESSING '));
	assert.match(begun.at(-1) ?? '', new RegExp(more[1]), begun.join('\n'));
});

await test('refuses a second service on a folder, and a worker next to one without a queue', async () => {
	await using fleet = await startFleet(1);
	const inUse = /Another local service is using/;
	await assert.rejects(startChildService(fleet.storage, ...fleet.queue), inUse);
	await assert.rejects(startChildService(fleet.storage), inUse);
	await using folder = await temporaryFolder();
	await using alone = await startChildService(folder.path);
	await assert.rejects(startChildWorker(folder.path, ...fleet.queue), inUse);
	await alone.kill('SIGTERM');
});

await test("a worker follows the service's setting for private networks, not its own host", async () => {
	await using web = await startOutsideServer(answering(200, shortRecording));
	await using fleet = await startFleet(1);
	const fetchFrom = async (allowPrivateSources: boolean) => {
		const database = await openSharedSqlite(join(fleet.storage, 'service.sqlite'));
		await announceFront(database, {
			url: fleet.client.url,
			allowPrivateSources,
			retentionDays: 7,
			editLimits: DEFAULT_EDIT_LIMITS,
		});
		await database.close();
		const id = await fleet.client.create({ files: [`${web.url}/talk.wav`], config });
		return (await fleet.client.ended(id)).status;
	};
	const before = await submit(fleet.client);
	await assertDoneOnce(fleet, before);
	assert.equal(await fetchFrom(false), 'FAILURE');
	assert.equal(web.visits.length, 0);
	assert.equal(await fetchFrom(true), 'SUCCESS');
});

await test('entries that someone else puts into the queue delete nothing', async () => {
	await using fleet = await startFleet(1);
	const victim = join(fleet.storage, 'victim');
	await mkdir(victim);
	const done = await submit(fleet.client);
	await assertDoneOnce(fleet, done);
	const name = serviceNameOf(readOrMakeSecrets(fleet.storage));
	const { hostname: host, port } = new URL(redis.url);
	const queue = new Queue(name, { connection: { host, port: Number(port) } });
	for (const jobId of ['../victim', `${done}/result`]) await queue.add('edit', {}, { jobId });
	await eventually(
		'the worker has taken them',
		async () => (await queue.getJobCountByTypes('waiting', 'active', 'delayed')) === 0,
	);
	await queue.close();
	assert.ok((await readdir(fleet.storage)).includes('victim'));
	await finishedFile(await fleet.client.edit(done));
});

await test("workers edit by the service's limits, not by their own", async () => {
	const limits = ['--long-silence-seconds', '0.6', '--kept-pause-seconds', '0.3'];
	await using fleet = await startFleet(0, ...limits);
	const queue = ['--queue', redis.url, '--long-silence-seconds', '5'];
	await using worker = await startChildWorker(fleet.storage, '--concurrency', '1', ...queue);
	const speech = await speechWithShortSilence();
	const { result } = await fleet.client.finish(speech, SILENCES);
	assert.equal(result.statistics?.DEADAIR, 1, worker.log.join('\n'));
});
