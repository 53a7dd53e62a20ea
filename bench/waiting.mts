/**
 * `npm run bench -- waiting`: lets our loop wait on a simulated service with a virtual clock. The
 * figures are ratios to ideal clients, which know when each edit ends.
 */
import { table } from '../demo/report.mts';
import { type Bar, count, printBars } from '../testkit/measure/bars.mts';
import { median } from '../testkit/measure/median.mts';
import { DURATIONS, makeBatch } from './waiting/batch.mts';
import { bytesPerEdit } from './waiting/memory.mts';
import { runTrial, type TrialResult } from './waiting/trial.mts';
import { submitWith } from './waiting/workers.mts';

/** The seeds of the figures: the scheduler was developed on 1 to 20. */
const SEEDS: readonly number[] = Array.from({ length: 20 }, (_, index) => 101 + index);

/** Workers of queue mode, and what the credential says of their number. */
const WORKERS = [
	[1, 1],
	[2, 1],
	[2, 2],
	[5, 1],
	[5, 5],
] as const;

const SUBMITTED = 300;

const rows = [['edits', 'wall ÷ ideal', 'mean lag', 'lag ÷ ideal', 'GETs/min', 'CPU']];

function show(name: string, result: TrialResult): void {
	rows.push([
		name,
		result.wallRatio.toFixed(3),
		`${result.meanLagSeconds.toFixed(1)} s`,
		result.meanLagRatio.toFixed(2),
		String(result.busiestMinute),
		`${result.cpuPercent.toFixed(3)} %`,
	]);
}

/** Lets our loop wait for one batch of each seed, and shows the first. `atOnce` edits are at work together. */
async function waitForBatches(edits: number, atOnce: number, durations = DURATIONS.mixed) {
	const results: TrialResult[] = [];
	for (const seed of SEEDS) {
		results.push(await runTrial(makeBatch(edits, atOnce, true, seed, durations)));
	}
	show(`${edits.toLocaleString('en')} in order`, results[0]);
	return results;
}

/** Two bars: the median and the worst of the seeds. */
function barsOfSeeds(
	name: string,
	figures: readonly number[],
	limits: readonly [median: number, worst: number],
	decimals = 2,
): Bar[] {
	const of = `of ${figures.length} seeds`;
	return [
		{ name: `${name}, median ${of}`, figure: median(figures), limit: limits[0], decimals },
		{ name: `${name}, worst ${of}`, figure: Math.max(...figures), limit: limits[1], decimals },
	];
}

const one = await waitForBatches(1, 1);
const hundred = await waitForBatches(100, 20);
const thousand = await waitForBatches(1_000, 50);
const tenThousand = await waitForBatches(10_000, 200);
const equal = await waitForBatches(10_000, 200, DURATIONS.equal);
const random = await runTrial(makeBatch(1_000, 50, false, SEEDS[0]));
show('1,000 in random order', random);
const two = await runTrial(makeBatch(1_000, 50, true, SEEDS[0]), 2);
show('1,000 by two processes', two);
console.log(table(rows));
console.log(`seeds ${SEEDS[0]} to ${SEEDS[SEEDS.length - 1]}\n`);

const submissions = [['workers', 'field', '429s', 'minutes', 'given up']];
let refusedWhenShared = 0;
for (const [workers, field] of WORKERS) {
	const { refusals, minutes, givenUp } = await submitWith(SUBMITTED, workers, field);
	if (workers === field) refusedWhenShared = Math.max(refusedWhenShared, refusals);
	const counts = [workers, field, refusals].map(String);
	submissions.push([...counts, minutes.toFixed(1), String(givenUp)]);
}
console.log(`${SUBMITTED} edits submitted by several workers with one key:`);
console.log(`${table(submissions)}\n`);

const alone = [...one, ...hundred, ...thousand, ...tenThousand, random];
const worst = (results: readonly TrialResult[], figure: keyof TrialResult) =>
	Math.max(...results.map((result) => result[figure]));
const lags = (results: readonly TrialResult[]) => results.map(({ meanLagRatio }) => meanLagRatio);
const walls = hundred.map(({ wallRatio }) => wallRatio);
printBars([
	...barsOfSeeds('100 edits, wall / ideal', walls, [1.05, 1.05], 3),
	...barsOfSeeds('100 edits, mean lag / ideal', lags(hundred), [1.5, 2.5]),
	...barsOfSeeds('1,000 edits, mean lag / ideal', lags(thousand), [1.3, 1.3]),
	...barsOfSeeds('10,000 edits, mean lag / ideal', lags(tenThousand), [1.5, 2.5]),
	...barsOfSeeds('10,000 edits of a minute each, mean lag / ideal', lags(equal), [1.5, 2.5]),
	count('status calls in any 60 s, alone on the key', worst(alone, 'busiestMinute'), 300),
	count('429s when alone on the key', worst(alone, 'refusals')),
	count('edits lost', worst(alone, 'lost')),
	count('edits lost by two processes on one key', two.lost),
	count('429s when workers share the limit of submissions', refusedWhenShared),
	count('10,000 edits, bytes of memory an edit', await bytesPerEdit(10_000), 1_024),
	{
		name: '10,000 edits, percent of a core, worst of 20 seeds',
		figure: worst(tenThousand, 'cpuPercent'),
		limit: 1,
		decimals: 3,
	},
]);
