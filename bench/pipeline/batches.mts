import { table } from '../../demo/report.mts';
import { VirtualTime } from '../../testkit/time/virtualTime.ts';
import type { Bar } from '../../testkit/measure/bars.mts';
import { liveByBuilt } from '../../testkit/time/builtTime.mts';
import { Chance } from '../../testkit/measure/chance.mts';
import { median } from '../../testkit/measure/median.mts';
import { workSeconds } from '../waiting/batch.mts';
import { type BatchClient, chainOfFive, ideal, oneNode, type Place } from './clients.mts';
import { Line } from './line.mts';
import { type Recording, VirtualService } from './virtualService.mts';

const RECORDINGS = 300;

const SEEDS = [1, 2, 3, 4, 5];

const MB = 1_000_000;

/** What makes a batch take its time: the edits at work at once, and both directions of the line. */
const SCENARIOS = [
	{ name: 'the rate limit', atOnce: Infinity, bytesPerSecond: 100 * MB },
	{ name: 'the service', atOnce: 10, bytesPerSecond: 100 * MB },
	{ name: 'the line', atOnce: Infinity, bytesPerSecond: MB },
];

type Scenario = (typeof SCENARIOS)[number];

/** Standard keys (api.md#limits). */
const LIMITS = { submissionsPerMinute: 30, statusCallsPerMinute: 300 };

/** Edits batches on a virtual clock and prints the times in minutes. */
export async function measureBatches(): Promise<Bar[]> {
	const rows = [
		['limited by', 'ideal', 'one node', 'chain', 'node ÷ ideal', 'first: node ÷ chain'],
	];
	const walls: number[] = [];
	const firsts: number[] = [];
	for (const scenario of SCENARIOS) {
		const compared: Comparison[] = [];
		for (const seed of SEEDS) compared.push(await compare(scenario, seed));
		const medianOf = (figure: (comparison: Comparison) => number) => median(compared.map(figure));
		walls.push(medianOf(({ node, ideal }) => node.wall / ideal.wall));
		firsts.push(medianOf(({ node, chain }) => node.firstFile / chain.firstFile));
		const minutes = (['ideal', 'node', 'chain'] as const).map((way) =>
			medianOf((comparison) => comparison[way].wall).toFixed(1),
		);
		const ratios = [walls, firsts].map((figures) => figures[figures.length - 1].toFixed(3));
		rows.push([scenario.name, ...minutes, ...ratios]);
	}
	console.log(`${RECORDINGS} recordings, in minutes; medians of ${SEEDS.length} seeds:`);
	console.log(table(rows));
	return [
		{
			name: `${RECORDINGS} recordings in one node, wall / ideal pipelined client under the same limits`,
			figure: Math.max(...walls),
			limit: 1.05,
			decimals: 3,
		},
		{
			name: 'first edited file out, one node / chain of five',
			figure: Math.max(...firsts),
			limit: 0.2,
			decimals: 3,
		},
	];
}

/** Edits a batch in all ways. The ideal is the better one of two orders. */
async function compare(scenario: Scenario, seed: number) {
	const node = await editBatch(scenario, seed, oneNode);
	const chain = await editBatch(scenario, seed, chainOfFive);
	const editsFirst = await editBatch(scenario, seed, ideal('edits'));
	const uploadsFirst = await editBatch(scenario, seed, ideal('uploads'));
	const better = editsFirst.wall <= uploadsFirst.wall ? editsFirst : uploadsFirst;
	return { node, chain, ideal: better };
}

type Comparison = Awaited<ReturnType<typeof compare>>;

/** Returns the minutes that a batch took, and those to its first file. */
async function editBatch({ atOnce, bytesPerSecond }: Scenario, seed: number, client: BatchClient) {
	const chance = new Chance(seed);
	const recordings = Array.from({ length: RECORDINGS }, (_, index) => recordingOf(chance, index));
	const time = new VirtualTime({ startMs: Date.UTC(2026, 0, 1), random: () => chance.next() });
	liveByBuilt(time);
	const uplink = new Line(time, bytesPerSecond);
	const downlink = new Line(time, bytesPerSecond);
	const service = new VirtualService(time, { recordings, uplink, atOnce, ...LIMITS });
	const beganAtMs = time.now();
	const storedAtMs: number[] = [];
	const place: Place = { time, service, downlink, recordings, ...LIMITS };
	await time.run(client(place, () => storedAtMs.push(time.now())));
	if (storedAtMs.length !== RECORDINGS)
		throw new Error(`${storedAtMs.length} of ${RECORDINGS} are edited`);
	const minutesTo = (ms: number) => (ms - beganAtMs) / 60_000;
	return { wall: minutesTo(time.now()), firstFile: minutesTo(Math.min(...storedAtMs)) };
}

/** Clips and episodes; an episode is the larger file, and is worked on for longer. */
function recordingOf(chance: Chance, index: number): Recording {
	const seconds = workSeconds(chance);
	const sizeBytes = seconds * chance.between(0.05, 0.2) * MB;
	return { name: `r${index}.wav`, sizeBytes, editedBytes: sizeBytes * 0.9, workSeconds: seconds };
}
