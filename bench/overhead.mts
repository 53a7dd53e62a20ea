/**
 * `npm run bench -- overhead`: compares the CPU cost of the nodes with the same steps by only n8n's helpers,
 * on the same service. No node can cost less. Also measures how long n8n takes to load the nodes.
 *
 * Counts all CPU (user and system) of the n8n process while 200 items pass Upload, Create Edit,
 * Wait For Edit, Get Result and Delete. This includes n8n's engine, HTTP helper and binary store. The
 * service is a separate process. The nodes' clock runs faster, because waiting costs almost no CPU
 * (`npm run bench -- waiting`).
 *
 * Loading is judged by the CPU time of the loading thread: the wall time on an otherwise idle
 * machine. The actual wall time is also printed.
 */
import { join } from 'node:path';

import { table } from '../demo/report.mts';
import { printBars } from '../testkit/measure/bars.mts';
import { runBesideService } from '../testkit/measure/children.mts';
import { median } from '../testkit/measure/median.mts';
import { measureLoading } from './overhead/loading.mts';
import type { Round, Rounds } from './overhead/measured.mts';

const RESULT_BYTES = 64 * 1_024;

/** POST upload, PUT, POST edits, GET edit twice (Wait For Edit, Get Result), GET file, DELETE. */
const REQUESTS_PER_ITEM = 7;

const HEAD = ['client', 'CPU per item', 'requests per second'];

const module = join(import.meta.dirname, 'overhead', 'measured.mts');
const rounds = (await runBesideService(module, RESULT_BYTES)) as Rounds;
const helper = rounds["n8n's helpers alone"];
const rows = Object.entries(rounds).map(([name, some]: [string, readonly Round[]]) => {
	const cpuMs = median(some.map(({ cpuMsPerItem }) => cpuMsPerItem));
	const itemsPerSecond = median(some.map((round) => round.itemsPerSecond));
	return [name, `${cpuMs.toFixed(2)} ms`, (itemsPerSecond * REQUESTS_PER_ITEM).toFixed(0)];
});
console.log(table([HEAD, ...rows]));
// Each beside the other client's round next to it, under the same load.
const toHelper = rounds['our nodes'].map(
	({ cpuMsPerItem }, index) => cpuMsPerItem / helper[index].cpuMsPerItem,
);
const all = toHelper.map((ratio) => ratio.toFixed(2)).join(', ');
console.log(`\nOur nodes ÷ n8n's helper alone, each round: ${all}`);
const { ours, empty } = await measureLoading();
for (const [name, { wallMs, cpuMs }] of [
	['our package', ours],
	['an empty package', empty],
] as const) {
	console.log(`Loading ${name}: ${wallMs.toFixed(1)} ms wall time, ${cpuMs.toFixed(1)} ms CPU`);
}
console.log('');
printBars([
	{ name: "CPU an item / n8n's helper alone", figure: median(toHelper), limit: 1.2 },
	{
		name: 'loading / loading an empty package of as many nodes, CPU',
		figure: ours.cpuMs / empty.cpuMs,
		limit: 3,
	},
]);
