/**
 * What waiting costs: our loop on a simulated service with a virtual clock, beside what peers do, as
 * ratios to clients that know more than anybody can. `npm run bench:waiting`
 */
import { table } from '../demo/report.mts';
import { TIME_SPEED } from '../test/support/scaledTime.ts';
import { printBars } from './bars.mts';
import { DURATIONS, makeBatch } from './waiting/batch.mts';
import {
	everythingEveryTime,
	itemByItem,
	ourLoop,
	type WaitingClient,
} from './waiting/clients.mts';
import { bytesPerEdit } from './waiting/memory.mts';
import { idealLags, mean } from './waiting/ideal.mts';
import { PRIORITIES, meanLagSeconds } from './waiting/priorities.mts';
import { runOnRealService } from './waiting/realService.mts';
import { runTrial, type TrialResult } from './waiting/trial.mts';
import { submitWith, type Submissions } from './waiting/workers.mts';

/** Edits, and how many of them the service works on at once. */
const SIZES = [
	[1, 1],
	[100, 20],
	[1_000, 50],
	[10_000, 200],
] as const;

/** Peers take hours of virtual time and as many calls; up to here they are shown. */
const LARGEST_FOR_PEERS = 1_000;

const HEAD = [
	'edits',
	'client',
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

const SEEDS = 20;

/** So that it takes less than three minutes: seeds of what no bar and no decision rests on. */
const FEWER_SEEDS = 4;

const PRIORITY_HEAD = ['edits', 'start in', 'durations', 'priority', 'lag', '÷ ideal', 'worst'];

/** The mean lag of each priority over the seeds; its ratio to the ideal as median and worst of them. */
function comparePriorities(
	edits: number,
	parallelism: number,
	isInOrder: boolean,
	durations: keyof typeof DURATIONS,
) {
	const all = Array.from({ length: SEEDS }, (_, index) =>
		makeBatch(edits, parallelism, isInOrder, index + 1, DURATIONS[durations]),
	);
	const ideals = all.map((batch) => idealLags(batch).mean);
	return Object.entries(PRIORITIES).map(([name, Priority]) => {
		const hasAllSeeds = durations === 'mixed' && (name === 'shipped' || edits <= LARGEST_FOR_PEERS);
		const batches = all.slice(0, hasAllSeeds ? SEEDS : FEWER_SEEDS);
		const lags = batches.map((batch) => meanLagSeconds(batch, Priority));
		const ratios = lags.map((lag, index) => lag / ideals[index]).sort((a, b) => a - b);
		const [median, worst] = [ratios[ratios.length >> 1], ratios[ratios.length - 1]];
		const order = isInOrder ? 'order' : 'any order';
		const figures = [`${mean(lags).toFixed(1)} s`, median.toFixed(2), worst.toFixed(2)];
		const cells = [String(edits), order, durations, name, ...figures];
		return { edits, name, isInOrder, durations, median, worst, cells };
	});
}

/** `npm run bench:waiting priorities`: what each part of the priority gains. */
function showPriorities() {
	const compared: ReturnType<typeof comparePriorities> = [];
	for (const [edits, parallelism] of SIZES.filter(([count]) => count > 1)) {
		for (const isInOrder of [true, false]) {
			for (const kind of ['mixed', 'equal', 'spread'] as const) {
				// With 10,000 edits one kind takes as long as all others together.
				if (edits > LARGEST_FOR_PEERS && !(isInOrder && kind === 'mixed')) continue;
				const results = comparePriorities(edits, parallelism, isInOrder, kind);
				console.log(table([PRIORITY_HEAD, ...results.map(({ cells }) => cells)]));
				compared.push(...results);
			}
		}
	}
	const ours = compared.filter(
		({ name, isInOrder, durations }) => name === 'shipped' && isInOrder && durations === 'mixed',
	);
	printBars(
		ours.flatMap(({ edits, median, worst }) => [
			{ name: `${edits} edits, mean lag / ideal, median of 20 seeds`, figure: median, limit: 1.5 },
			{ name: `${edits} edits, mean lag / ideal, worst of 20 seeds`, figure: worst, limit: 2.5 },
		]),
	);
}

if (process.argv.includes('priorities')) {
	showPriorities();
	process.exit();
}

const rows = [HEAD];
const ours = new Map<number, TrialResult>();

async function show(
	edits: number,
	parallelism: number,
	name: string,
	client: WaitingClient,
	clients = 1,
	isInOrder = true,
) {
	const result = await runTrial(makeBatch(edits, parallelism, isInOrder), client, clients);
	rows.push(row(edits, name, result));
	return result;
}

for (const [edits, parallelism] of SIZES) {
	ours.set(edits, await show(edits, parallelism, 'ours', ourLoop));
	if (edits > LARGEST_FOR_PEERS) continue;
	await show(edits, parallelism, 'item by item', itemByItem);
	await show(edits, parallelism, 'all every 10 s', everythingEveryTime);
}
const random = await show(1_000, 50, 'ours, random order', ourLoop, 1, false);
const two = await show(1_000, 50, 'ours, two processes', ourLoop, 2);
console.log(table(rows));
console.log('');
const real = [await runOnRealService(1), await runOnRealService(100)];
// The rate limit's margin of a second is short here, shorter than a busy machine is late: 429s may be seen.
console.log(
	`(Real service: a second of margin is ${1_000 / TIME_SPEED} ms here, so some 429s are to be expected.)`,
);
for (const { edits, wallRatio, meanLagSeconds, refusals, lost } of real) {
	console.log(
		`Real local service, clock × ${TIME_SPEED}, ${edits} edits: wall ÷ its own ${wallRatio.toFixed(3)}, mean lag ${meanLagSeconds.toFixed(1)} s, ${refusals} × 429, ${lost} lost`,
	);
}
console.log('');
const queueMode: Submissions[] = [];
for (const [workers, field] of WORKERS) {
	queueMode.push(await submitWith(SUBMITTED, workers, field));
}
console.log(`${SUBMITTED} edits submitted by several workers with one key:`);
console.log(table([WORKERS_HEAD, ...queueMode.map(workersRow)]));
console.log('');
const sharing = queueMode.filter(({ workers, numberOfWorkers }) => workers === numberOfWorkers);
const hundred = ours.get(100);
const thousand = ours.get(1_000);
const tenThousand = ours.get(10_000);
if (!hundred || !thousand || !tenThousand) throw new Error('A size is missing');
printBars([
	{ name: '100 edits, wall / ideal', figure: hundred.wallRatio, limit: 1.05, decimals: 3 },
	{ name: '1,000 edits, mean lag / ideal', figure: thousand.meanLagRatio, limit: 1.3 },
	{
		name: 'status calls in any 60 s, alone on the key',
		figure: Math.max(...[...ours.values(), random].map((result) => result.busiestMinute)),
		limit: 300,
		decimals: 0,
	},
	{
		name: '429s when alone on the key',
		figure: Math.max(...[...ours.values(), random].map((result) => result.refusals)),
		limit: 0,
		decimals: 0,
	},
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
		name: '10,000 edits, percent of a core',
		figure: tenThousand.cpuPercent,
		limit: 1,
		decimals: 3,
	},
]);
