/** What more workers bring, and what PostgreSQL, Redis and S3 cost, with the same edits. */
import { test } from 'node:test';

import { Client } from '../../test/service/support/client.mts';
import { median } from '../../bench/median.mts';
import { makeRecording } from '../../test/support/recording.ts';
import { bar } from '../support/bars.mts';
import { openSandbox } from '../support/sandbox.mts';
import { type Cluster, startCluster } from './support/cluster.mts';
import { shortRecordings, wallSeconds } from './support/directBatch.mts';
import { THIS_VERSION } from './support/program.mts';
import { startFront } from './support/serviceProcess.mts';
import { API_KEY, UNLIMITED } from './support/stores.mts';

const RUNS = 3;

const minute = makeRecording({ partsSeconds: [25, 1.5, 32, 1.5] });

/** Long enough that the workers' own work decides, and not the servers that share the two cores. */
const LONG = Array.from({ length: 16 }, () => minute);

const SHORT = shortRecordings(100);

const sandbox = await openSandbox('cluster-scaling');

/** Returns the wall of a batch in seconds, on a cluster with one front and these workers. */
async function wallOf(
	cluster: Cluster,
	recordings: readonly Buffer[],
	workers: readonly { concurrency?: number; core?: number }[],
): Promise<number> {
	for (const options of workers) await cluster.addWorker(THIS_VERSION, options);
	const [front] = cluster.fronts;
	const seconds = await wallSeconds(new Client(front.url, API_KEY), recordings);
	for (const worker of cluster.workers) await worker.stop();
	cluster.workers.clear();
	return seconds;
}

/** Returns the same for the default service: one process with SQLite and a folder. */
async function defaultWallOf(concurrency: number): Promise<number> {
	const settings = {
		...UNLIMITED,
		LOCAL_SERVICE_API_KEY: API_KEY,
		LOCAL_SERVICE_CONCURRENCY: String(concurrency),
	};
	const start = { name: 'service-default', program: THIS_VERSION, settings };
	const service = await startFront(sandbox, start);
	const seconds = await wallSeconds(new Client(service.url, API_KEY), SHORT);
	await service.stop();
	return seconds;
}

/** Measures several things in turns, so that a busy moment does not hit only one of them. */
async function inTurns<Name extends string>(
	measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
	const names = Object.keys(measures) as Name[];
	const figures = new Map<Name, number[]>(names.map((name) => [name, []]));
	for (let run = 0; run < RUNS; run += 1) {
		for (const name of names) figures.get(name)?.push(await measures[name]());
	}
	for (const [name, seconds] of figures) {
		console.log(`    ${name}: ${seconds.map((value) => value.toFixed(1)).join(', ')} s`);
	}
	const medians = names.map((name) => [name, median(figures.get(name) ?? [])] as const);
	return Object.fromEntries(medians) as Record<Name, number>;
}

const cluster = await startCluster(sandbox);
await cluster.addFront(THIS_VERSION);

test('two workers, each on its own core, need little more than half the time of one', async () => {
	const { one, two } = await inTurns({
		one: () => wallOf(cluster, LONG, [{ core: 0 }]),
		two: () => wallOf(cluster, LONG, [{ core: 0 }, { core: 1 }]),
	});
	const ratio = two / one;
	bar('two workers on two cores / one, wall', ratio.toFixed(2), '<= 0.6', ratio <= 0.6);
});

test('PostgreSQL, Redis and S3 cost little', async () => {
	const { own, shared } = await inTurns({
		own: () => defaultWallOf(2),
		shared: () => wallOf(cluster, SHORT, [{ concurrency: 2 }]),
	});
	const name = 'overhead of PostgreSQL + S3 against the default, wall of 100 short edits';
	const ratio = shared / own;
	bar(name, ratio.toFixed(2), '<= 1.25', ratio <= 1.25);
});
