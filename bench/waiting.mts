/**
 * `npm run bench -- waiting`: lets our loop wait on a simulated service with a virtual clock. The
 * figures are ratios to ideal clients, which know when each edit ends.
 */
import { table } from '../demo/report.mts';
import { printBars } from './bars.mts';
import { DURATIONS, makeBatch } from './waiting/batch.mts';
import { bytesPerEdit } from './waiting/memory.mts';
import { barsOfSeeds, SEEDS, trialsOfSeeds } from './waiting/seeds.mts';
import { runTrial, type TrialResult } from './waiting/trial.mts';
import { submitWith, type Submissions } from './waiting/workers.mts';

/** Edits, and how many of them the service works on at once. */
const SIZES = [
	[1, 1],
	[100, 20],
	[1_000, 50],
	[10_000, 200],
] as const;

const HEAD = [
	'edits',
	'how',
	'wall ÷ ideal',
	'mean lag',
	'lag ÷ ideal',
	'p95 ÷ ideal',
	'GETs/min',
	'429s',
	'lost',
	'CPU',
];

function row(edits: number, name: string, result: TrialResult): string[] {
	return [
		String(edits),
		name,
		result.wallRatio.toFixed(3),
		`${result.meanLagSeconds.toFixed(1)} s`,
		result.meanLagRatio.toFixed(2),
		result.p95LagRatio.toFixed(2),
		String(result.busiestMinute),
		String(result.refusals),
		String(result.lost),
		`${result.cpuPercent.toFixed(3)} %`,
	];
}

/** Workers of queue mode, and what the credential says of their number. */
const WORKERS = [
	[1, 1],
	[2, 1],
	[2, 2],
	[5, 1],
	[5, 5],
] as const;

const SUBMITTED = 300;

const WORKERS_HEAD = ['workers', 'field', '429s', 'begun/min', 'minutes', 'given up'];

function workersRow(result: Submissions): string[] {
	const { workers, numberOfWorkers, refusals, busiestMinute, minutes, givenUp } = result;
	const counts = [workers, numberOfWorkers, refusals, busiestMinute].map(String);
	return [...counts, minutes.toFixed(1), String(givenUp)];
}

const rows = [HEAD];
/** Our loop over the seeds, by the number of edits. */
const ours = new Map<number, TrialResult[]>();

async function show(name: string, isInOrder: boolean, processes: number) {
	const result = await runTrial(makeBatch(1_000, 50, isInOrder, SEEDS[0]), processes);
	rows.push(row(1_000, name, result));
	return result;
}

for (const [edits, parallelism] of SIZES) {
	const results = await trialsOfSeeds(edits, parallelism);
	ours.set(edits, results);
	rows.push(row(edits, 'in order', results[0]));
}
const random = await show('random order', false, 1);
const two = await show('two processes', true, 2);
console.log(table(rows));
console.log(`(The rows are those of seed ${SEEDS[0]}.)`);
console.log(`seeds ${SEEDS[0]} to ${SEEDS[SEEDS.length - 1]}\n`);
const queueMode: Submissions[] = [];
for (const [workers, field] of WORKERS) {
	queueMode.push(await submitWith(SUBMITTED, workers, field));
}
console.log(`${SUBMITTED} edits submitted by several workers with one key:`);
console.log(table([WORKERS_HEAD, ...queueMode.map(workersRow)]));
console.log('');
const sharing = queueMode.filter(({ workers, numberOfWorkers }) => workers === numberOfWorkers);
const resultsOf = (edits: number) => ours.get(edits) ?? [];
const all = [...[...ours.values()].flat(), random];
const equal = await trialsOfSeeds(10_000, 200, DURATIONS.equal);
const lagRatiosOf = (results: readonly TrialResult[]) =>
	results.map(({ meanLagRatio }) => meanLagRatio);
const wallRatios = resultsOf(100).map(({ wallRatio }) => wallRatio);
printBars([
	...barsOfSeeds('100 edits, wall / ideal', wallRatios, [1.05, 1.05], 3),
	...barsOfSeeds('100 edits, mean lag / ideal', lagRatiosOf(resultsOf(100)), [1.5, 2.5]),
	...barsOfSeeds('1,000 edits, mean lag / ideal', lagRatiosOf(resultsOf(1_000)), [1.3, 1.3]),
	...barsOfSeeds('10,000 edits, mean lag / ideal', lagRatiosOf(resultsOf(10_000)), [1.5, 2.5]),
	...barsOfSeeds('10,000 edits of a minute each, mean lag / ideal', lagRatiosOf(equal), [1.5, 2.5]),
	{
		name: 'status calls in any 60 s, alone on the key',
		figure: Math.max(...all.map(({ busiestMinute }) => busiestMinute)),
		limit: 300,
		decimals: 0,
	},
	{
		name: '429s when alone on the key',
		figure: Math.max(...all.map(({ refusals }) => refusals)),
		limit: 0,
		decimals: 0,
	},
	{ name: 'edits lost', figure: Math.max(...all.map(({ lost }) => lost)), limit: 0, decimals: 0 },
	{ name: 'edits lost by two processes on one key', figure: two.lost, limit: 0, decimals: 0 },
	{
		name: '429s when workers share the limit of submissions',
		figure: Math.max(...sharing.map(({ refusals }) => refusals)),
		limit: 0,
		decimals: 0,
	},
	{
		name: '10,000 edits, bytes of memory an edit',
		figure: await bytesPerEdit(10_000),
		limit: 1_024,
		decimals: 0,
	},
	{
		name: '10,000 edits, percent of a core, worst of 20 seeds',
		figure: Math.max(...resultsOf(10_000).map(({ cpuPercent }) => cpuPercent)),
		limit: 1,
		decimals: 3,
	},
]);
