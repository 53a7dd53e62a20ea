/**
 * Runs the clients alternately, so that a busy machine slows all of them equally, and measures the
 * CPU of this process. Argument: `{ url }` of the service, as JSON. Sends its parent the Rounds.
 */
import '../../test/support/environment.ts';

import { loadCredential, loadNodes, namedNodes } from '../../demo/builtPackage.mts';
import { chain, credentialFor } from '../../test/support/chain.ts';
import { itemsOf, runWorkflow, startEngine, storeFile } from '../../test/support/n8nEngine.ts';
import { quickenTime } from '../builtClock.mts';
import { HELPER_NODES } from './helperNodes.mts';

/** Cost of one round of a client. */
export interface Round {
	readonly cpuMsPerItem: number;
	readonly itemsPerSecond: number;
}

/** The nodes of each client, one for each step. */
const CLIENTS = {
	'our nodes': ['upload', 'createEdit', 'waitForEdit', 'getResult', 'delete'],
	"n8n's helpers alone": Object.keys(HELPER_NODES),
} as const;

export type Rounds = Record<keyof typeof CLIENTS, Round[]>;

const ITEMS = 200;
const ROUNDS = 9;
const WARM_UPS = 2;

const FILE = Buffer.alloc(64 * 1_024, 7);

/** A custom plan, because 30 submissions per minute would slow the run. */
const PLAN = { plan: 'custom', submissionsPerMinute: 1_000_000 };

const { url } = JSON.parse(process.argv[2]) as { url: string };

async function runNodes(types: readonly string[]): Promise<void> {
	const run = await runWorkflow({
		workflow: chain(...types.map((type) => ({ type }))),
		items: Array.from({ length: ITEMS }, () => ({ json: {}, binary: { data: binary } })),
		nodeTypes,
		credentialTypes: { audioEditingApi: loadCredential() },
		credentials: { audioEditingApi: { ...credentialFor({ url, apiKey: 'bench' }), ...PLAN } },
	});
	if (run.data.resultData.error) throw run.data.resultData.error;
	const done = itemsOf(run, types.at(-1) ?? '').length;
	if (done !== ITEMS) throw new Error(`${done} of ${ITEMS} items finished`);
}

async function measure(types: readonly string[]): Promise<Round> {
	const before = process.cpuUsage();
	const startedAtMs = performance.now();
	await runNodes(types);
	const seconds = (performance.now() - startedAtMs) / 1_000;
	const { user, system } = process.cpuUsage(before);
	return { cpuMsPerItem: (user + system) / 1_000 / ITEMS, itemsPerSecond: ITEMS / seconds };
}

await startEngine();
quickenTime();
const nodeTypes = { ...loadNodes(), ...namedNodes(HELPER_NODES) };
const binary = await storeFile(FILE, 'a.wav', 'audio/wav');
const rounds: Rounds = { 'our nodes': [], "n8n's helpers alone": [] };
for (let round = -WARM_UPS; round < ROUNDS; round++) {
	for (const name of Object.keys(CLIENTS) as (keyof Rounds)[]) {
		const cost = await measure(CLIENTS[name]);
		if (round >= 0) rounds[name].push(cost);
	}
}
process.send?.(rounds, () => {
	process.exit();
});
