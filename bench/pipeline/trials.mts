import { ProcessedData } from '../../test/support/processedDataStore.ts';
import { VirtualTime } from '../../test/support/virtualTime.ts';
import type { Bar } from '../bars.mts';
import { Chance } from '../eval/chance.mts';
import type { Mistakes } from './attribution.mts';
import { liveBy } from '../builtClock.mts';
import { Trial } from './execution.mts';
import { Network } from './faults.mts';
import { type Fate, judge, type Verdict } from './judge.mts';
import { Line } from './line.mts';
import { type Plan, planOf } from './plan.mts';
import type { Seen } from './seen.mts';
import { type Job, VirtualService } from './virtualService.mts';

/** From each of the seeds; the seeds of trials are one apart. */
const TRIALS = 1_000;
const SEEDS = 3;
const BETWEEN_SEEDS = 1_000_000;

const BYTES_PER_SECOND = 10_000_000;

const STATUS_CALLS_PER_MINUTE = 300;

/** How the fates of recordings are printed. */
const FATES: ReadonlyArray<readonly [Fate, words: string]> = [
	['edited', 'edited'],
	['named', 'named as failed or going on'],
	['skipped', 'skipped as submitted before'],
	['uncertain', 'counted as uncertain'],
	['notBegun', 'not charged when the execution failed or was stopped'],
	['onlyCreated', 'whose outputs Stop dropped, named by the line that their edit was created'],
	['begunAgain', 'begun again in a new execution after a kill without saved data'],
];

/** The outcome of a trial. */
interface Outcome {
	readonly plan: Plan;
	readonly executions: readonly Seen[];
	readonly verdicts: readonly Verdict[];
	readonly struck: number;
	readonly restarts: number;
	readonly charged: number;
	readonly mistakes: Mistakes;
	/** Edits whose files were not in n8n when they were deleted. */
	readonly deletedUnread: number;
}

/** Runs a trial. The same seed gives the same trial. */
async function runTrial(seed: number): Promise<Outcome> {
	const plan = planOf(seed);
	const chance = new Chance(seed + 0.5);
	const time = new VirtualTime(Date.UTC(2026, 0, 1), () => chance.next());
	liveBy(time);
	const uplink = new Line(time, BYTES_PER_SECOND);
	const downlink = new Line(time, BYTES_PER_SECOND);
	const service = new VirtualService(time, {
		...{ recordings: plan.recordings, uplink, downlink, ...plan.service },
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
	const deletedUnread = service.jobs.filter(({ deletion }) => deletion === 'unread').length;
	const { struck } = network;
	return { plan, executions, verdicts, struck, restarts, charged, mistakes, deletedUnread };
}

/** The seeds of all trials. */
function seedsFrom(firstSeed: number): number[] {
	const ofSeed = (start: number) => Array.from({ length: TRIALS }, (_, index) => start + index);
	const starts = Array.from({ length: SEEDS }, (_, index) => firstSeed + index * BETWEEN_SEEDS);
	return starts.flatMap(ofSeed);
}

function sumOf<T>(all: readonly T[], figure: (one: T) => number): number {
	return all.reduce((total, one) => total + figure(one), 0);
}

function fatesIn(outcomes: readonly Outcome[]): Fate[] {
	const verdicts = outcomes.flatMap((outcome) => outcome.verdicts);
	return verdicts.flatMap(({ fates }) => fates.map(({ fate }) => fate));
}

function chargedTwiceIn({ verdicts }: Outcome): number {
	return sumOf(verdicts, ({ chargedTwice }) => chargedTwice);
}

/** Runs the trials from a first seed on, and prints those that broke a promise. */
export async function measureTrials(firstSeed = 1): Promise<Bar[]> {
	const outcomes: Outcome[] = [];
	for (const seed of seedsFrom(firstSeed)) {
		const outcome = await runTrial(seed);
		outcomes.push(outcome);
		const isBad = barsOf([outcome]).some(({ figure }) => figure > 0);
		if (isBad) console.log(`npm run bench -- pipeline --trial ${seed} shows a broken promise.`);
	}
	printTotals(outcomes);
	return barsOf(outcomes);
}

function printTotals(outcomes: readonly Outcome[]): void {
	const fates = fatesIn(outcomes);
	const ends = outcomes.flatMap(({ executions }) => executions.map(({ end }) => end));
	const endsText = [...new Set(ends)].map(
		(end) => `${ends.filter((one) => one === end).length} ${end}`,
	);
	const total = (figure: (outcome: Outcome) => number) => sumOf(outcomes, figure);
	console.log(
		`${outcomes.length} trials over ${SEEDS} seeds: ${total(({ struck }) => struck)} faults, ${total(({ restarts }) => restarts)} retries and restarts, ${total(({ charged }) => charged)} edits charged.`,
	);
	console.log(`${ends.length} executions: ${endsText.join(', ')}.`);
	const counted = FATES.map(
		([fate, words]) => `${fates.filter((one) => one === fate).length} ${words}`,
	);
	console.log(`${fates.length} recordings in them: ${counted.join(', ')}.`);
}

function barsOf(outcomes: readonly Outcome[]): Bar[] {
	const total = (figure: (outcome: Outcome) => number) => sumOf(outcomes, figure);
	const figures: Readonly<Record<string, number>> = {
		'edits charged twice': total(chargedTwiceIn),
		'recordings edited from the wrong file': total(({ mistakes }) => mistakes.wrongFile),
		'results attributed to the wrong edit': total(({ mistakes }) => mistakes.wrongEdit),
		'paid results deleted before they were in n8n': total(({ deletedUnread }) => deletedUnread),
		'recordings neither edited nor named': fatesIn(outcomes).filter((fate) => fate === 'lost')
			.length,
	};
	return Object.entries(figures).map(([name, figure]) => ({ name, figure, limit: 0, decimals: 0 }));
}

/** Prints all that a person sees in one trial. */
export async function showTrial(seed: number): Promise<void> {
	const { plan, executions, verdicts } = await runTrial(seed);
	console.dir(plan, { depth: 5 });
	for (const [index, { end, error, lines, items, unfinished, skipped }] of executions.entries()) {
		console.log(`\nExecution ${index + 1}: ${end}\n${lines.join('\n')}`);
		if (end === 'failed') console.log(`Error: ${error}`);
		for (const { json, binary } of [...items, ...unfinished, ...skipped]) {
			console.log(JSON.stringify({ ...json, files: Object.keys(binary ?? {}) }));
		}
		console.log(verdicts[index]);
	}
}
