/**
 * `npm run bench -- waiting`: lets our loop wait on a simulated service with a virtual clock. Walls are
 * ratios to that of an ideal client, which knows when each edit ends. Lags are the mean time from an edit's end until
 * our loop learned of it.
 */
import { table } from '../demo/report.mts';
import { type Bar, count, printBars } from '../testkit/measure/bars.mts';
import { median } from '../testkit/measure/median.mts';
import { makeBatch } from './waiting/batch.mts';
import { bytesPerEdit } from './waiting/memory.mts';
import { runTrial, type TrialResult } from './waiting/trial.mts';
import { submitWith } from './waiting/workers.mts';

/** The seeds of the figures. */
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

const rows = [['edits', 'wall ÷ ideal', 'mean lag', 'GETs/min', 'CPU']];

function show(name: string, result: TrialResult): void {
	rows.push([
		name,
		result.wallRatio.toFixed(3),
		`${result.meanLagSeconds.toFixed(1)} s`,
		String(result.busiestMinute),
		`${result.cpuPercent.toFixed(3)} %`,
	]);
}

/** Lets our loop wait for one batch of each seed, and shows the first. `atOnce` edits are at work together. */
async function waitForBatches(edits: number, atOnce: number) {
	const results: TrialResult[] = [];
	for (const seed of SEEDS) {
		results.push(await runTrial(makeBatch(edits, atOnce, true, seed)));
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
const twenty = await waitForBatches(20, 10);
const hundred = await waitForBatches(100, 20);
const threeHundred = await waitForBatches(300, 40);
const thousand = await waitForBatches(1_000, 50);
const tenThousand = await runTrial(makeBatch(10_000, 200, true, SEEDS[0]));
show('10,000 in order', tenThousand);
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

const alone = [one, twenty, hundred, threeHundred, thousand, [tenThousand, random]].flat();
const worst = (results: readonly TrialResult[], figure: keyof TrialResult) =>
	Math.max(...results.map((result) => result[figure]));
const walls = (results: readonly TrialResult[]) => results.map(({ wallRatio }) => wallRatio);
const lags = (results: readonly TrialResult[]) =>
	results.map(({ meanLagSeconds }) => meanLagSeconds);
printBars([
	...barsOfSeeds('20 edits, wall / ideal', walls(twenty), [1.02, 1.02], 3),
	...barsOfSeeds('100 edits, wall / ideal', walls(hundred), [1.01, 1.02], 3),
	...barsOfSeeds('300 edits, wall / ideal', walls(threeHundred), [1.01, 1.01], 3),
	...barsOfSeeds('1,000 edits, wall / ideal', walls(thousand), [1.01, 1.01], 3),
	...barsOfSeeds('20 edits, seconds of mean lag', lags(twenty), [6, 7], 1),
	...barsOfSeeds('100 edits, seconds of mean lag', lags(hundred), [6.5, 7], 1),
	...barsOfSeeds('300 edits, seconds of mean lag', lags(threeHundred), [9, 10], 1),
	...barsOfSeeds('1,000 edits, seconds of mean lag', lags(thousand), [45, 50], 1),
	count('status calls in any 60 s, alone on the key', worst(alone, 'busiestMinute'), 300),
	count('429s when alone on the key', worst(alone, 'refusals')),
	count('edits lost', worst(alone, 'lost')),
	count('edits lost by two processes on one key', two.lost),
	count('429s when workers share the limit of submissions', refusedWhenShared),
	count('10,000 edits, bytes of memory an edit', await bytesPerEdit(10_000), 1_024),
	{
		name: '10,000 edits, percent of a core',
		figure: tenThousand.cpuPercent,
		limit: 1,
		decimals: 3,
	},
]);
