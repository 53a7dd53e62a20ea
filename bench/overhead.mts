/**
 * What the nodes cost beside plain axios calls that do the same job on the same service, and how long
 * n8n takes to load them. `npm run bench:overhead`
 *
 * What is counted: all CPU (user and system) of the n8n process while 200 items go through Upload,
 * Create Edit, Wait For Edit, Get Result and Delete, so also that of n8n's engine, of its HTTP helper and
 * of its binary store; nothing is taken off. The other figures show whose it is: the same five steps
 * with n8n's helpers and nothing else are what no node can save, and the engine alone passes items on.
 * The service is another process and does not count. Waiting costs no CPU worth the name
 * (`npm run bench:waiting`), so the nodes' clock runs faster here.
 *
 * Loading is judged by the CPU of the loading thread, which is the time it takes on a machine with
 * nothing else to do; the time by the clock is shown beside it.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { table } from '../demo/report.mts';
import { printBars } from './bars.mts';
import { runInChild, startInstantService, WITH_TSX } from './children.mts';
import { median } from './median.mts';
import { type ClientName, REQUESTS_PER_ITEM, type Round, type Rounds } from './overhead/job.mts';
import { measureLoading } from './overhead/loading.mts';

const RESULT_BYTES = 64 * 1_024;

const HEAD = ['client', 'CPU an item', 'CPU ÷ plain axios', 'requests a second'];

async function measureRounds(): Promise<Rounds> {
	const folder = await mkdtemp(join(tmpdir(), 'audio-editing-bench-'));
	const service = await startInstantService(RESULT_BYTES);
	try {
		const module = join(import.meta.dirname, 'overhead', 'measured.mts');
		const rounds = await runInChild(
			module,
			{ url: service.url },
			{
				execArgv: WITH_TSX,
				env: { N8N_USER_FOLDER: folder, N8N_ENCRYPTION_KEY: randomUUID() },
			},
		);
		return rounds as Rounds;
	} finally {
		await service.stop();
		await rm(folder, { recursive: true });
	}
}

/** The middle of the rounds' ratios: each to the plain round beside it, on an equally busy machine. */
function cpuRatio(rounds: readonly Round[], plain: readonly Round[]): number {
	return median(rounds.map((round, index) => round.cpuMsPerItem / plain[index].cpuMsPerItem));
}

const rounds = await measureRounds();
const plain = rounds['plain axios'];
const rows = (Object.keys(rounds) as ClientName[]).map((name) => {
	const cpuMs = median(rounds[name].map((round) => round.cpuMsPerItem));
	const itemsPerSecond = median(rounds[name].map((round) => round.itemsPerSecond));
	const makesRequests = name !== 'engine alone';
	return [
		name,
		`${cpuMs.toFixed(2)} ms`,
		cpuRatio(rounds[name], plain).toFixed(2),
		makesRequests ? (itemsPerSecond * REQUESTS_PER_ITEM).toFixed(0) : '',
	];
});
console.log(table([HEAD, ...rows]));
const ratioToHelpers = cpuRatio(rounds['our nodes'], rounds["n8n's helpers alone"]);
console.log(`\nOur nodes ÷ n8n's helpers alone: ${ratioToHelpers.toFixed(2)}`);
const { ours, empty } = await measureLoading();
for (const [name, { wallMs, cpuMs }] of [
	['our package', ours],
	['an empty package', empty],
] as const) {
	console.log(`Loading ${name}: ${wallMs.toFixed(1)} ms by the clock, ${cpuMs.toFixed(1)} ms CPU`);
}
console.log('');
printBars([
	{
		name: 'CPU an item, node chain ÷ plain axios',
		figure: cpuRatio(rounds['our nodes'], plain),
		limit: 1.5,
	},
	{
		name: 'loading all node files, ms of CPU more than an empty package',
		figure: ours.cpuMs - empty.cpuMs,
		limit: 15,
		decimals: 1,
	},
]);
