/**
 * The service on several machines: fronts and workers that share PostgreSQL, Redis and an S3 server, but
 * no folder. A real n8n edits 200 recordings while every part is killed once, and while the service is
 * upgraded. `npm run e2e -- cluster`
 */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, test } from 'node:test';

import { bar } from '../support/bars.mts';
import { Editor } from '../support/pages/editor.mts';
import { startQueueMode } from '../support/queueMode.mts';
import { installPackage, openSandbox } from '../support/sandbox.mts';
import { EDITS, endOfBatch, startBatch } from './support/batch.mts';
import { startCluster } from './support/cluster.mts';
import {
	disturb,
	killFront,
	killServer,
	killWorker,
	successesIn,
	upgrade,
} from './support/disturbances.mts';
import { History } from './support/history.mts';
import { NEXT_MIGRATION, THIS_VERSION, makeNextVersion } from './support/program.mts';
import { API_KEY } from './support/stores.mts';

const N8N_WORKERS = 2;

/** Executions that a worker of n8n runs at the same time: few, so that edits arrive all the time. */
const EXECUTIONS_AT_ONCE = 3;

const FRONTS = 2;

const WORKERS = 3;

const sandbox = await openSandbox('cluster');
await installPackage(sandbox);
const nextVersion = await makeNextVersion(sandbox);
const history = new History();
const cluster = await startCluster(sandbox, (seen) => {
	history.note(seen);
});
for (let count = 0; count < FRONTS; count += 1) await cluster.addFront(THIS_VERSION);
for (let count = 0; count < WORKERS; count += 1) await cluster.addWorker(THIS_VERSION);

const { main } = await startQueueMode(sandbox, N8N_WORKERS, EXECUTIONS_AT_ONCE);
const editor = new Editor(main.url);
await editor.enter();
const credential = await editor.createCredential('Cluster', {
	baseUrl: cluster.proxy.url,
	apiKey: API_KEY,
	plan: 'custom',
	submissionsPerMinute: 480,
	numberOfWorkers: N8N_WORKERS,
});
const startedAtMs = Date.now();
const workflowId = await startBatch(sandbox, editor, credential);
await disturb(cluster, [
	{
		name: 'kill -9 of a front',
		afterEdits: 30,
		happen: () => killFront(cluster, THIS_VERSION),
	},
	{
		name: 'kill -9 of a worker',
		afterEdits: 50,
		happen: () => killWorker(cluster, THIS_VERSION),
	},
	{
		name: 'kill -9 of Redis',
		afterEdits: 70,
		happen: () => killServer(cluster.stores.redis),
	},
	{
		name: 'kill -9 of PostgreSQL',
		afterEdits: 90,
		happen: () => killServer(cluster.stores.postgres),
	},
	{
		name: 'rolling upgrade',
		afterEdits: 110,
		happen: () => upgrade(cluster, nextVersion),
	},
]);
const { edited, failed } = await endOfBatch(editor, workflowId);
console.log(`    ${EDITS} edits took ${((Date.now() - startedAtMs) / 1_000).toFixed(0)} s`);
console.log(`    refusals: ${JSON.stringify([...history.refusals])}`);
console.log(`    connections: ${JSON.stringify(cluster.proxy.counts)}`);
for (const item of failed) console.log(`    failed: ${item}`);

/** Returns the values that occur more than once. */
function repeated<T>(values: readonly T[]): T[] {
	return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

describe(`${EDITS} edits while every part of the cluster is killed, and during an upgrade`, () => {
	test('none is lost', () => {
		const own = edited.filter(({ isOwnFile }) => isOwnFile);
		const names = new Set(own.map(({ sourceFileName }) => sourceFileName));
		const unfinished = cluster.stores.postgres.ask(
			"SELECT id FROM edits WHERE status <> 'SUCCESS'",
		);
		const lost = EDITS - names.size + unfinished.length;
		bar('edits lost', lost, '<= 0', lost === 0);
	});

	test('none is done twice', () => {
		const publishedAgain = [...history.results].filter(([, paths]) => paths.size > 1);
		const twice = new Set([
			...publishedAgain.map(([id]) => id),
			...history.takenBack,
			...repeated(successesIn(cluster)),
		]);
		bar('edits done twice (two results published)', twice.size, '<= 0', twice.size === 0);
	});

	test('each recording became one edit', () => {
		const ids = edited.map(({ editId }) => editId);
		assert.deepEqual(repeated(ids), []);
		assert.deepEqual(failed, []);
		assert.deepEqual(
			cluster.stores.postgres.ask('SELECT id FROM edits ORDER BY id'),
			[...history.accepted].toSorted(),
		);
	});

	test('the result that a client was sent is in the bucket', async () => {
		const kept = await cluster.stores.bucket.results();
		const sent = [...history.results.values()].flatMap((paths) => [...paths]);
		const missing = sent.filter((path) => !kept.includes(path));
		assert.deepEqual(missing, []);
		const runs = new Set(kept.map((path) => dirname(path)));
		console.log(`    ${runs.size} runs left files in the bucket`);
	});

	test('the upgrade changed the tables', () => {
		const names = cluster.stores.postgres.ask('SELECT name FROM kysely_migration');
		assert.ok(names.includes(NEXT_MIGRATION));
	});
});
