/**
 * Runs the clients alternately, so that a busy machine slows all of them equally, and measures the
 * CPU of this process. Argument: `{ url }` of the service, as JSON. Sends its parent the Rounds.
 */
import '../../test/support/environment.ts';

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loadCredential, loadNodes, namedNodes } from '../../demo/builtPackage.mts';
import { chain, credentialFor } from '../../test/support/chain.ts';
import { itemsOf, runWorkflow, startEngine, storeFile } from '../../test/support/n8nEngine.ts';
import { HELPER_NODES, PASSING_NODES } from './helperNodes.mts';
import type { ClientName, Job, Round, Rounds } from './job.mts';
import { runPlainAxios } from './plainAxios.mts';
import { quickenTime } from './quickTime.mts';

const ITEMS = 200;
const ROUNDS = 9;
const WARM_UPS = 2;

/** A custom plan, because 30 submissions per minute would slow the run. */
const PLAN = { plan: 'custom', submissionsPerMinute: 1_000_000 };

const OURS = ['upload', 'createEdit', 'waitForEdit', 'getResult', 'delete'];
const PASSING = OURS.map((name) => ({ type: 'pass', name }));

const { url } = JSON.parse(process.argv[2]) as { url: string };

const CLIENTS: Record<ClientName, (job: Job) => Promise<void>> = {
	'plain axios': runPlainAxios,
	'our nodes': async (job) => {
		await runNodes(job, ...OURS.map((type) => ({ type })));
	},
	"n8n's helpers alone": async (job) => {
		await runNodes(job, ...Object.keys(HELPER_NODES).map((type) => ({ type })));
	},
	'engine alone': async (job) => {
		await runNodes(job, ...PASSING);
	},
};

async function runNodes(job: Job, ...specs: Parameters<typeof chain>): Promise<void> {
	const run = await runWorkflow({
		workflow: chain(...specs),
		items: Array.from({ length: job.items }, () => ({ json: {}, binary: { data: job.binary } })),
		nodeTypes,
		credentialTypes: { audioEditingApi: loadCredential() },
		credentials: { audioEditingApi: { ...credentialFor(job), ...PLAN } },
	});
	if (run.data.resultData.error) throw run.data.resultData.error;
	const done = itemsOf(run, specs.at(-1)?.name ?? specs.at(-1)?.type ?? '').length;
	if (done !== job.items) throw new Error(`${done} of ${job.items} items finished`);
}

async function prepareJob(): Promise<Job> {
	const userFolder = process.env.N8N_USER_FOLDER ?? '';
	const folder = join(userFolder, 'plain');
	const path = join(userFolder, 'a.wav');
	const content = Buffer.alloc(64 * 1_024, 7);
	await mkdir(folder);
	await writeFile(path, content);
	const binary = await storeFile(content, 'a.wav', 'audio/wav');
	const fileBytes = content.length;
	return { url, apiKey: 'bench', items: ITEMS, binary, path, fileBytes, folder };
}

async function measure(run: () => Promise<void>): Promise<Round> {
	const before = process.cpuUsage();
	const startedAtMs = performance.now();
	await run();
	const seconds = (performance.now() - startedAtMs) / 1_000;
	const { user, system } = process.cpuUsage(before);
	return {
		cpuMsPerItem: (user + system) / 1_000 / ITEMS,
		itemsPerSecond: ITEMS / seconds,
	};
}

await startEngine();
quickenTime();
const nodeTypes = { ...loadNodes(), ...namedNodes({ ...HELPER_NODES, ...PASSING_NODES }) };
const job = await prepareJob();
const rounds: Rounds = {
	'plain axios': [],
	'our nodes': [],
	"n8n's helpers alone": [],
	'engine alone': [],
};
for (let round = -WARM_UPS; round < ROUNDS; round++) {
	for (const name of Object.keys(CLIENTS) as ClientName[]) {
		const cost = await measure(async () => {
			await CLIENTS[name](job);
		});
		if (round >= 0) rounds[name].push(cost);
		await rm(job.folder, { recursive: true });
		await mkdir(job.folder);
	}
}
process.send?.(rounds, () => {
	process.exit();
});
