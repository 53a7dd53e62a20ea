/**
 * The service on several machines: fronts and workers that share PostgreSQL, Redis and an S3 server, but
 * no folder. A real n8n edits 200 recordings while every part is killed once, and while the service is
 * upgraded. `npm run e2e -- cluster`
 */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, test } from 'node:test';

import { assertBar, count } from '../../testkit/measure/bars.mts';
import { Editor } from '../support/pages/editor.mts';
import { startQueueMode } from '../support/queueMode.mts';
import { installPackage, openSandbox } from '../support/sandbox.mts';
import { EDITS, endOfBatch, startBatch } from './support/batch.mts';
import { API_KEY, startCluster } from './support/cluster.mts';
import {
	disturb,
	killFront,
	killServer,
	killWorker,
	successesIn,
	upgrade,
} from './support/disturbances.mts';
import { NEXT_MIGRATION, THIS_VERSION, makeNextVersion } from './support/program.mts';

const N8N_WORKERS = 2;

/** Executions that a worker of n8n runs at the same time: few, so that edits arrive all the time. */
const EXECUTIONS_AT_ONCE = 3;

const FRONTS = 2;

const WORKERS = 3;

const sandbox = await openSandbox('cluster');
await installPackage(sandbox);
const nextVersion = await makeNextVersion(sandbox);
const cluster = await startCluster(sandbox);
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
await disturb(cluster, 30, 'kill -9 of a front', () => killFront(cluster, THIS_VERSION));
await disturb(cluster, 50, 'kill -9 of a worker', () => killWorker(cluster, THIS_VERSION));
await disturb(cluster, 70, 'kill -9 of Redis', () => killServer(cluster.redis));
await disturb(cluster, 90, 'kill -9 of PostgreSQL', () => killServer(cluster.postgres));
await disturb(cluster, 110, 'rolling upgrade', () => upgrade(cluster, nextVersion));
const { edited, failed } = await endOfBatch(editor, workflowId);
console.log(`    ${EDITS} edits took ${((Date.now() - startedAtMs) / 1_000).toFixed(0)} s`);
for (const item of failed) console.log(`    failed: ${item}`);

/** What the service answered the clients about the edits. */
const accepted = new Set<string>();
/** The paths of the results that a client was sent, by edit. */
const results = new Map<string, Set<string>>();
/** Edits that were something else again after their SUCCESS. */
const takenBack = new Set<string>();
for (const { method, path, status, text } of cluster.proxy.exchanges) {
	if (status !== 200 || text === '') continue;
	if (method === 'POST' && path === '/v2/edits') {
		accepted.add((JSON.parse(text) as { id: string }).id);
	}
	const editId = /^\/v2\/edits\/([^/?]+)$/.exec(path)?.[1];
	if (method !== 'GET' || editId === undefined) continue;
	const edit = JSON.parse(text) as { status: string; result?: { download_url?: string } | null };
	const { download_url: url } = edit.result ?? {};
	if (edit.status === 'SUCCESS' && url !== undefined) {
		const known = results.get(editId) ?? new Set();
		results.set(editId, known.add(new URL(url).pathname));
	} else if (results.has(editId)) {
		takenBack.add(editId);
	}
}

/** Returns the values that occur more than once. */
function repeated<T>(values: readonly T[]): T[] {
	return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

describe(`${EDITS} edits while every part of the cluster is killed, and during an upgrade`, () => {
	test('none is lost', () => {
		const own = edited.filter(({ isOwnFile }) => isOwnFile);
		const names = new Set(own.map(({ sourceFileName }) => sourceFileName));
		const unfinished = cluster.postgres.ask("SELECT id FROM edits WHERE status <> 'SUCCESS'");
		const lost = EDITS - names.size + unfinished.length;
		assertBar(count('edits lost', lost));
	});

	test('none is done twice', () => {
		const publishedAgain = [...results].filter(([, paths]) => paths.size > 1);
		const twice = new Set([
			...publishedAgain.map(([id]) => id),
			...takenBack,
			...repeated(successesIn(cluster)),
		]);
		assertBar(count('edits done twice (two results published)', twice.size));
	});

	test('each recording became one edit', () => {
		const ids = edited.map(({ editId }) => editId);
		assert.deepEqual(repeated(ids), []);
		assert.deepEqual(failed, []);
		assert.deepEqual(
			cluster.postgres.ask('SELECT id FROM edits ORDER BY id'),
			[...accepted].toSorted(),
		);
	});

	test('the result that a client was sent is in the bucket', async () => {
		const kept = await cluster.results();
		const sent = [...results.values()].flatMap((paths) => [...paths]);
		const missing = sent.filter((path) => !kept.includes(path));
		assert.deepEqual(missing, []);
		const runs = new Set(kept.map((path) => dirname(path)));
		console.log(`    ${runs.size} runs left files in the bucket`);
	});

	test('the upgrade changed the tables', () => {
		const names = cluster.postgres.ask('SELECT name FROM kysely_migration');
		assert.ok(names.includes(NEXT_MIGRATION));
	});
});
