import { ProcessedData } from '../../testkit/n8n/processedDataStore.ts';
import { VirtualTime } from '../../testkit/time/virtualTime.ts';
import { type Bar, count } from '../../testkit/measure/bars.mts';
import { Chance } from '../../testkit/measure/chance.mts';
import { liveByBuilt } from '../../testkit/time/builtTime.mts';
import { Trial } from './execution.mts';
import { Network } from './faults.mts';
import { type Fate, judge } from './judge.mts';
import { Line } from './line.mts';
import { planOf } from './plan.mts';
import { type Job, VirtualService } from './virtualService.mts';

/** From each of the seeds; the seeds of trials are one apart. */
const TRIALS = 1_000;
const SEEDS = 3;
const BETWEEN_SEEDS = 1_000_000;

const BYTES_PER_SECOND = 10_000_000;

const STATUS_CALLS_PER_MINUTE = 300;

/** Runs a trial. The same seed gives the same trial. */
async function runTrial(seed: number) {
	const plan = planOf(seed);
	const chance = new Chance(seed + 0.5);
	const time = new VirtualTime({ startMs: Date.UTC(2026, 0, 1), random: () => chance.next() });
	liveByBuilt(time);
	const uplink = new Line(time, BYTES_PER_SECOND);
	const downlink = new Line(time, BYTES_PER_SECOND);
	const service = new VirtualService(time, {
		recordings: plan.recordings,
		uplink,
		...plan.service,
		statusCallsPerMinute: STATUS_CALLS_PER_MINUTE,
	});
	const network = new Network(time, chance, service, plan.shares);
	const trial = new Trial(plan, { time, network, service, downlink, store: new ProcessedData() });
	await time.run(trial.run());
	const { executions, restarts, mistakes } = trial;
	const verdicts = executions.map((seen, index) => {
		const before = executions.slice(0, index);
		const isBefore = ({ sender }: Job) => before.some((one) => one === sender);
		const own = service.jobs.filter(({ sender }) => sender === seen);
		return judge(plan, seen, own, service.jobs.filter(isBefore));
	});
	const charged = service.jobs.length;
	// Edits whose files were not in n8n when they were deleted.
	const deletedUnread = service.jobs.filter(({ deletion }) => deletion === 'unread').length;
	const { struck } = network;
	const ends = executions.map(({ end }) => end);
	const outcome = { ends, verdicts, struck, restarts, charged, mistakes, deletedUnread };
	return { plan, executions, outcome };
}

/** What a trial came to, without the items and lines that a person sees: there are thousands of trials. */
type Outcome = Awaited<ReturnType<typeof runTrial>>['outcome'];

function sumOf<T>(all: readonly T[], figure: (one: T) => number): number {
	return all.reduce((total, one) => total + figure(one), 0);
}

function fatesIn(outcomes: readonly Outcome[]): Fate[] {
	const verdicts = outcomes.flatMap((outcome) => outcome.verdicts);
	return verdicts.flatMap(({ fates }) => fates.map(({ fate }) => fate));
}

/** Runs the trials from a first seed on, and prints those that broke a promise. */
export async function measureTrials(firstSeed = 1): Promise<Bar[]> {
	const outcomes: Outcome[] = [];
	for (let trial = 0; trial < SEEDS * TRIALS; trial++) {
		const start = firstSeed + Math.floor(trial / TRIALS) * BETWEEN_SEEDS;
		const seed = start + (trial % TRIALS);
		const { outcome } = await runTrial(seed);
		outcomes.push(outcome);
		const isBad = barsOf([outcome]).some(({ figure }) => figure > 0);
		if (isBad) console.log(`npm run bench -- pipeline --trial ${seed} shows a broken promise.`);
	}
	printTotals(outcomes);
	return barsOf(outcomes);
}

function printTotals(outcomes: readonly Outcome[]): void {
	const ends = outcomes.flatMap((outcome) => outcome.ends);
	const total = (figure: (outcome: Outcome) => number) => sumOf(outcomes, figure);
	console.log(
		`${outcomes.length} trials over ${SEEDS} seeds: ${total(({ struck }) => struck)} faults, ${total(({ restarts }) => restarts)} retries and restarts, ${total(({ charged }) => charged)} edits charged.`,
	);
	console.log('executions:', countsOf(ends));
	console.log('recordings in them:', countsOf(fatesIn(outcomes)));
}

function countsOf(names: readonly string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}

function barsOf(outcomes: readonly Outcome[]): Bar[] {
	const total = (figure: (outcome: Outcome) => number) => sumOf(outcomes, figure);
	const figures: Readonly<Record<string, number>> = {
		'edits charged twice': total(({ verdicts }) => sumOf(verdicts, (one) => one.chargedTwice)),
		'recordings edited from the wrong file': total(({ mistakes }) => mistakes.wrongFile),
		'results attributed to the wrong edit': total(({ mistakes }) => mistakes.wrongEdit),
		'paid results deleted before they were in n8n': total(({ deletedUnread }) => deletedUnread),
		'recordings neither edited nor named': fatesIn(outcomes).filter((fate) => fate === 'lost')
			.length,
	};
	return Object.entries(figures).map(([name, figure]) => count(name, figure));
}

/** Prints all that a person sees in one trial. */
export async function showTrial(seed: number): Promise<void> {
	const { plan, executions, outcome } = await runTrial(seed);
	console.dir(plan, { depth: 5 });
	for (const [index, { end, error, lines, items, unfinished, skipped }] of executions.entries()) {
		console.log(`\nExecution ${index + 1}: ${end}\n${lines.join('\n')}`);
		if (end === 'failed') console.log(`Error: ${error}`);
		for (const { json, binary } of [...items, ...unfinished, ...skipped]) {
			console.log(JSON.stringify({ ...json, files: Object.keys(binary ?? {}) }));
		}
		console.log(outcome.verdicts[index]);
	}
}
