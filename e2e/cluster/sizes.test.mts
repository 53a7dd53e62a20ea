/** The sizes that docs/service/scaling.md calculates with: what an edit takes of each part. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { makeConversation } from '../../bench/engine/material.mts';
import { PRESETS } from '../../nodes/CreateEdit/config/presets.ts';
import { Client } from '../../test/service/support/client.mts';
import { openSandbox } from '../support/sandbox.mts';
import { startCluster } from './support/cluster.mts';
import { fetchAll, shortRecordings, submitAll } from './support/directBatch.mts';
import { THIS_VERSION } from './support/program.mts';
import type { ServiceProcess } from './support/serviceProcess.mts';
import { API_KEY } from './support/stores.mts';

const LONG_SECONDS = 600;

const SHORT_EDITS = 100;

const IDLE_MS = 20_000;

const LOOK_EVERY_MS = 500;

/** PostgreSQL's sessions report what they did within about a second. */
const REPORTED_MS = 3_000;

const sandbox = await openSandbox('cluster-sizes');
const cluster = await startCluster(sandbox);
const { postgres, redis } = cluster.stores;
const front = await cluster.addFront(THIS_VERSION);
const client = new Client(front.url, API_KEY);

const say = (what: string, figure: number, unit: string) => {
	console.log(`    ${what}: ${figure.toFixed(figure < 10 ? 1 : 0)} ${unit}`);
};

async function memoryMb({ pid }: ServiceProcess): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

/** Returns the number of transactions so far. */
async function transactions(): Promise<number> {
	await sleep(REPORTED_MS);
	const query = 'SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()';
	return Number(postgres.ask(query)[0]);
}

/** Returns the most connections of the service to PostgreSQL until some work is done. */
async function mostConnections(work: Promise<void>): Promise<number> {
	let most = 0;
	const query = `SELECT COUNT(*) FROM pg_stat_activity WHERE application_name <> 'psql'
		AND datname = current_database()`;
	const looking = setInterval(() => {
		most = Math.max(most, Number(postgres.ask(query)[0]));
	}, LOOK_EVERY_MS);
	await work.finally(() => {
		clearInterval(looking);
	});
	return most;
}

const databaseBytes = () =>
	Number(
		postgres.ask(`SELECT SUM(pg_total_relation_size(relid)) FROM pg_stat_user_tables
			WHERE relname IN ('edits', 'uploads', 'upload_uses', 'claims')`)[0],
	);

test('what queued edits take', async () => {
	const before = { database: databaseBytes(), redis: await redis.usedBytes() };
	await submitAll(client, shortRecordings(SHORT_EDITS));
	say('database, an edit', (databaseBytes() - before.database) / SHORT_EDITS, 'bytes');
	say('Redis, a queued edit', ((await redis.usedBytes()) - before.redis) / SHORT_EDITS, 'bytes');
});

test('what work and waiting cost the database', async () => {
	const worker = await cluster.addWorker(THIS_VERSION, { core: 0 });
	const startedAtMs = Date.now();
	const before = await transactions();
	const ids = postgres.ask('SELECT id FROM edits');
	const most = await mostConnections(fetchAll(client, ids));
	say('most connections of a front and a worker at work', most, '');
	const perEdit = ((await transactions()) - before) / SHORT_EDITS;
	say('transactions an edit, with 4 status calls a second', perEdit, '');
	say('short edits', SHORT_EDITS / ((Date.now() - startedAtMs) / 1_000), 'a second');
	const idle = await transactions();
	await sleep(IDLE_MS);
	const idleMs = IDLE_MS + REPORTED_MS;
	say(
		'transactions of an idle front and worker',
		((await transactions()) - idle) / (idleMs / 1_000),
		'a second',
	);
	say('memory of a front', await memoryMb(front), 'MB');
	say('memory of an idle worker', await memoryMb(worker), 'MB');
});

test('how fast a worker on one core is', async () => {
	const path = join(sandbox.folder, 'conversation.mp3');
	await makeConversation(path, LONG_SECONDS, sandbox.folder);
	const recording = await readFile(path);
	for (const preset of ['enhance', 'fullEdit'] as const) {
		const startedAtMs = Date.now();
		const files = [await client.upload(recording, 'conversation.mp3')];
		await fetchAll(client, [await client.create({ files, config: PRESETS[preset] })]);
		const seconds = (Date.now() - startedAtMs) / 1_000;
		say(`${preset}, recorded time / wall`, LONG_SECONDS / seconds, '');
	}
	const [worker] = cluster.workers;
	say('memory of that worker', await memoryMb(worker), 'MB');
});
