/**
 * Runs the clients alternately, so that a busy machine slows all of them equally, and measures the
 * CPU of this process. Argument: `{ url }` of the service, as JSON. Sends its parent the Rounds.
 */
import { runBuilt, sendAndEnd } from '../builtRun.mts';

import { namedNodes } from '../../demo/builtPackage.mts';
import { storeFile } from '../../testkit/n8n/n8nEngine.ts';
import { quickenTime } from '../../testkit/time/builtTime.mts';
import { HELPER_NODES } from './helperNodes.mts';

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

const { url } = JSON.parse(process.argv[2]) as { url: string };

async function measure(types: readonly string[]): Promise<Round> {
	const items = Array.from({ length: ITEMS }, () => ({ json: {}, binary: { data: binary } }));
	const specs = types.map((type) => ({ type }));
	const before = process.cpuUsage();
	const startedAtMs = performance.now();
	const { length: done } = await runBuilt(url, items, specs, namedNodes(HELPER_NODES));
	const seconds = (performance.now() - startedAtMs) / 1_000;
	const { user, system } = process.cpuUsage(before);
	if (done !== ITEMS) throw new Error(`${done} of ${ITEMS} items finished`);
	return { cpuMsPerItem: (user + system) / 1_000 / ITEMS, itemsPerSecond: ITEMS / seconds };
}

quickenTime();
const binary = await storeFile(Buffer.alloc(64 * 1_024, 7), 'a.wav', 'audio/wav');
const rounds: Rounds = { 'our nodes': [], "n8n's helpers alone": [] };
for (let round = -WARM_UPS; round < ROUNDS; round++) {
	for (const name of Object.keys(CLIENTS) as (keyof Rounds)[]) {
		const cost = await measure(CLIENTS[name]);
		if (round >= 0) rounds[name].push(cost);
	}
}
sendAndEnd(rounds);
