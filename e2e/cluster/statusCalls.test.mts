/** How many status calls a second one front answers in time. */
import { test } from 'node:test';

import { median } from '../../bench/median.mts';
import { Client } from '../../test/service/support/client.mts';
import { bar } from '../support/bars.mts';
import { openSandbox } from '../support/sandbox.mts';
import { startCluster } from './support/cluster.mts';
import { fetchAll, shortRecordings, submitAll } from './support/directBatch.mts';
import { highestRate } from './support/openLoad.mts';
import { THIS_VERSION } from './support/program.mts';
import { API_KEY } from './support/stores.mts';

const RUNS = 3;

/** Of each kind: finished ones, whose responses have links, and unfinished ones. */
const EDITS = 20;

const LIMIT_MS = 50;

/** How long each rate is tried. */
const SECONDS = 4;

/** 300 waiting edits, each of which n8n asks about every 10 s. */
const NEEDED_PER_SECOND = 30;

const sandbox = await openSandbox('cluster-status-calls');
const cluster = await startCluster(sandbox);
const front = await cluster.addFront(THIS_VERSION);
const client = new Client(front.url, API_KEY);

/** Returns the ids of finished edits and of as many that no worker has begun. */
async function makeEdits(): Promise<string[]> {
	const worker = await cluster.addWorker(THIS_VERSION, { concurrency: 2 });
	const finished = await submitAll(client, shortRecordings(EDITS));
	await fetchAll(client, finished);
	await worker.stop();
	const waiting = await submitAll(client, shortRecordings(EDITS));
	return finished.flatMap((id, index) => [id, waiting[index] ?? '']);
}

test('one front serves the status calls of many waiting workflows', async () => {
	const urls = (await makeEdits()).map((id) => `${front.url}/v2/edits/${id}`);
	const load = { urls, headers: { 'X-API-Key': API_KEY }, seconds: SECONDS };
	const rates: number[] = [];
	for (let run = 0; run < RUNS; run += 1) {
		rates.push(await highestRate(load, LIMIT_MS, NEEDED_PER_SECOND));
	}
	console.log(`    ${rates.map((rate) => rate.toFixed(0)).join(', ')} calls a second`);
	const figure = median(rates);
	const name = `status calls a second one front serves at p99 <= ${LIMIT_MS} ms`;
	const isMet = figure >= NEEDED_PER_SECOND;
	bar(name, figure.toFixed(0), `>= ${NEEDED_PER_SECOND}`, isMet);
});
