/**
 * Figures of a cluster: what an edit takes of each part, what more workers bring, and what
 * PostgreSQL, Redis and S3 cost.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { assertBar, count } from '../../testkit/measure/bars.mts';
import { makeConversation } from '../../testkit/media/material.mts';
import { median } from '../../testkit/measure/median.mts';
import { statusBytes } from '../../testkit/measure/peak.mts';
import { PRESETS } from '../../nodes/core/config/presets.ts';
import { Client, finishedFile } from '../../testkit/service/client.mts';
import { makeRecording } from '../../testkit/media/recording.ts';
import { openSandbox } from '../support/sandbox.mts';
import { API_KEY, type ServiceProcess, startCluster, startProcess } from './support/cluster.mts';
import { THIS_VERSION } from './support/program.mts';

const RUNS = 3;

/** Recordings that are uploaded and submitted at the same time. */
const LANES = 8;

/** Between two status calls: rarely enough to cost the service nearly nothing. */
const LOOK_EVERY_MS = 250;

const IDLE_MS = 20_000;

/** PostgreSQL's sessions report what they did within about a second. */
const REPORTED_MS = 3_000;

const CONVERSATION_SECONDS = 600;

const SHORT_EDITS = 100;

/** Recordings of 5 to 9 s, the same in every run. */
const SHORT = Array.from({ length: SHORT_EDITS }, (_, index) =>
	makeRecording({ partsSeconds: [5 + (4 * index) / SHORT_EDITS] }),
);

/** Long enough that the workers' own work decides, and not the servers that share the two cores. */
const LONG = Array<Buffer>(16).fill(makeRecording({ partsSeconds: [25, 1.5, 32, 1.5] }));

const sandbox = await openSandbox('cluster-figures');
const cluster = await startCluster(sandbox);
const { postgres, redis } = cluster;
const front = await cluster.addFront(THIS_VERSION);
const client = new Client(front.url, API_KEY);

/** Uploads and submits all recordings, a few at a time. @returns the edits' ids */
async function submitAll(to: Client, recordings: readonly Buffer[]): Promise<string[]> {
	const ids: string[] = [];
	const waiting = recordings.values();
	const lane = async () => {
		for (const recording of waiting) {
			const files = [await to.upload(recording)];
			ids.push(await to.create({ files, config: PRESETS.enhance }));
		}
	};
	await Promise.all(Array.from({ length: LANES }, lane));
	return ids;
}

/** Waits for each edit and downloads its file. @throws unless all end with SUCCESS */
async function fetchAll(from: Client, ids: readonly string[]): Promise<void> {
	for (const id of ids) {
		let edit = await from.edit(id);
		while (!['SUCCESS', 'FAILURE'].includes(edit.status)) {
			await sleep(LOOK_EVERY_MS);
			edit = await from.edit(id);
		}
		await finishedFile(edit);
	}
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
	const startedAtMs = Date.now();
	await work();
	return (Date.now() - startedAtMs) / 1_000;
}

const say = (what: string, figure: number, unit: string) => {
	console.log(`    ${what}: ${figure.toFixed(figure < 10 ? 1 : 0)} ${unit}`);
};

function sayMemory(what: string, { pid }: ServiceProcess): void {
	say(`memory of ${what}`, statusBytes('VmRSS', pid) / 1_024 ** 2, 'MB');
}

async function transactions(): Promise<number> {
	await sleep(REPORTED_MS);
	const query = 'SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()';
	return Number(postgres.ask(query)[0]);
}

const databaseBytes = () =>
	Number(
		postgres.ask(`SELECT SUM(pg_total_relation_size(relid)) FROM pg_stat_user_tables
			WHERE relname IN ('edits', 'uploads', 'upload_uses', 'claims')`)[0],
	);

test('what queued edits take', async () => {
	const before = { database: databaseBytes(), redis: await redis.usedBytes() };
	await submitAll(client, SHORT);
	say('database, an edit', (databaseBytes() - before.database) / SHORT_EDITS, 'bytes');
	say('Redis, a queued edit', ((await redis.usedBytes()) - before.redis) / SHORT_EDITS, 'bytes');
});

test('what work and waiting cost the database', async () => {
	const worker = await cluster.addWorker(THIS_VERSION, 1, 0);
	const before = await transactions();
	const ids = postgres.ask('SELECT id FROM edits');
	const seconds = await secondsOf(() => fetchAll(client, ids));
	say('short edits', SHORT_EDITS / seconds, 'a second');
	const perEdit = ((await transactions()) - before) / SHORT_EDITS;
	say('transactions an edit, with 4 status calls a second', perEdit, '');
	const idle = await transactions();
	await sleep(IDLE_MS);
	const idleSeconds = (IDLE_MS + REPORTED_MS) / 1_000;
	const perSecond = ((await transactions()) - idle) / idleSeconds;
	say('transactions of an idle front and worker', perSecond, 'a second');
	sayMemory('a front', front);
	sayMemory('an idle worker', worker);
});

test('how fast a worker on one core is', async () => {
	const path = join(sandbox.folder, 'conversation.mp3');
	await makeConversation(path, CONVERSATION_SECONDS, sandbox.folder);
	const recording = await readFile(path);
	const [worker] = cluster.workers;
	for (const preset of ['enhance', 'fullEdit'] as const) {
		const seconds = await secondsOf(async () => {
			const files = [await client.upload(recording, 'conversation.mp3')];
			await fetchAll(client, [await client.create({ files, config: PRESETS[preset] })]);
		});
		say(`${preset}, recorded time / wall`, CONVERSATION_SECONDS / seconds, '');
	}
	sayMemory('that worker', worker);
	await worker.end('SIGTERM');
	cluster.workers.clear();
});

/** Returns the seconds from the first upload of a batch to the end of its last download. */
async function secondsOfBatch(of: Client, recordings: readonly Buffer[]): Promise<number> {
	return await secondsOf(async () => {
		await fetchAll(of, await submitAll(of, recordings));
	});
}

/** Returns the wall of a batch with a worker on each of these cores, or with one on all of them. */
async function wallOf(recordings: readonly Buffer[], cores: readonly (number | undefined)[]) {
	for (const core of cores) {
		await cluster.addWorker(THIS_VERSION, core === undefined ? 2 : 1, core);
	}
	const seconds = await secondsOfBatch(client, recordings);
	for (const worker of cluster.workers) await worker.end('SIGTERM');
	cluster.workers.clear();
	return seconds;
}

/** Returns the same for the default service: one process with SQLite and a folder. */
async function defaultWallOf(recordings: readonly Buffer[]): Promise<number> {
	const settings = { LOCAL_SERVICE_CONCURRENCY: '2' };
	const start = { name: 'service-default', program: THIS_VERSION, settings };
	const service = await startProcess(sandbox, start);
	const seconds = await secondsOfBatch(new Client(service.url, API_KEY), recordings);
	await service.end('SIGTERM');
	return seconds;
}

/** Measures two things in turns, so that a busy moment does not hit only one. @returns the ratio of their medians */
async function ratioOf(one: () => Promise<number>, other: () => Promise<number>): Promise<number> {
	const [ones, others]: [number[], number[]] = [[], []];
	for (let run = 0; run < RUNS; run += 1) {
		ones.push(await one());
		others.push(await other());
	}
	for (const seconds of [ones, others]) {
		console.log(`    ${seconds.map((value) => value.toFixed(1)).join(', ')} s`);
	}
	return median(ones) / median(others);
}

test('two workers, each on its own core, need little more than half the time of one', async () => {
	const figure = await ratioOf(
		() => wallOf(LONG, [0, 1]),
		() => wallOf(LONG, [0]),
	);
	assertBar({ name: 'two workers on two cores / one, wall', figure, limit: 0.6 });
});

test('PostgreSQL, Redis and S3 cost little', async () => {
	const name = 'overhead of PostgreSQL + S3 against the default, wall of 100 short edits';
	const figure = await ratioOf(
		() => wallOf(SHORT, [undefined]),
		() => defaultWallOf(SHORT),
	);
	assertBar({ name, figure, limit: 1.25 });
});

const LIMIT_MS = 50;

/** 300 waiting edits, each of which n8n asks about every 10 s. */
const NEEDED_PER_SECOND = 30;

const RATE_SECONDS = 4;

/**
 * Returns the 99th percentile of the response times in milliseconds. They count from when a status call was
 * due, since a front that stops answering for a moment delays all calls that were due then.
 */
async function p99At(perSecond: number, ids: readonly string[]): Promise<number> {
	const startMs = performance.now();
	const calls = Array.from({ length: perSecond * RATE_SECONDS }, async (_, index) => {
		const dueMs = (index * 1_000) / perSecond;
		await sleep(dueMs);
		const path = `/v2/edits/${ids[index % ids.length]}`;
		const { status } = await client.call('GET', path);
		return status === 200 ? performance.now() - startMs - dueMs : Infinity;
	});
	const times = (await Promise.all(calls)).toSorted((one, other) => one - other);
	return times[Math.floor(times.length * 0.99)];
}

test('one front serves the status calls of many waiting workflows', async () => {
	const finished = postgres.ask("SELECT id FROM edits WHERE status = 'SUCCESS' LIMIT 20");
	const ids = [...finished, ...(await submitAll(client, SHORT.slice(0, 20)))];
	let figure = 0;
	let next = NEEDED_PER_SECOND;
	while ((await p99At(next, ids)) <= LIMIT_MS) {
		figure = next;
		next = Math.floor(next * 1.5);
	}
	const name = `status calls a second one front serves at p99 <= ${LIMIT_MS} ms`;
	assertBar(count(name, figure, NEEDED_PER_SECOND, '>='));
});
