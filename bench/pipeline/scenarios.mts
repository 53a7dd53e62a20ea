import { Chance } from '../eval/chance.mts';
import { VirtualTime } from '../../test/support/virtualTime.ts';
import { DURATIONS } from '../waiting/batch.mts';
import { type BatchClient, chainOfFive, ideal, oneNode, type Place } from './clients.mts';
import { liveBy } from '../builtClock.mts';
import { Line } from './line.mts';
import { type Recording, VirtualService } from './virtualService.mts';

/** What makes a batch take its time. */
interface Scenario {
	readonly name: string;
	/** How many edits the service works on at once. */
	readonly atOnce: number;
	/** Of both directions of the line. */
	readonly bytesPerSecond: number;
}

const MB = 1_000_000;

export const SCENARIOS: readonly Scenario[] = [
	{ name: 'the rate limit', atOnce: Infinity, bytesPerSecond: 100 * MB },
	{ name: 'the service', atOnce: 10, bytesPerSecond: 100 * MB },
	{ name: 'the line', atOnce: Infinity, bytesPerSecond: MB },
];

/** Standard keys (api.md#limits). */
const LIMITS = { submissionsPerMinute: 30, statusCallsPerMinute: 300 };

/** How long a batch took, in minutes. */
interface BatchTimes {
	readonly wall: number;
	readonly firstFile: number;
}

/** How long each way of editing the same batch took. */
export interface Comparison {
	readonly node: BatchTimes;
	readonly chain: BatchTimes;
	readonly ideal: BatchTimes;
}

/** Edits a batch in all ways. The ideal is the better one of two orders. */
export async function compare(
	scenario: Scenario,
	count: number,
	seed: number,
): Promise<Comparison> {
	const node = await editBatch(scenario, count, seed, oneNode);
	const chain = await editBatch(scenario, count, seed, chainOfFive);
	const editsFirst = await editBatch(scenario, count, seed, ideal('edits'));
	const uploadsFirst = await editBatch(scenario, count, seed, ideal('uploads'));
	const better = editsFirst.wall <= uploadsFirst.wall ? editsFirst : uploadsFirst;
	return { node, chain, ideal: better };
}

async function editBatch(
	{ atOnce, bytesPerSecond }: Scenario,
	count: number,
	seed: number,
	client: BatchClient,
): Promise<BatchTimes> {
	const chance = new Chance(seed);
	const recordings = Array.from({ length: count }, (_, index) => recordingOf(chance, index));
	const time = new VirtualTime(Date.UTC(2026, 0, 1), () => chance.next());
	liveBy(time);
	const uplink = new Line(time, bytesPerSecond);
	const downlink = new Line(time, bytesPerSecond);
	const service = new VirtualService(time, { recordings, uplink, downlink, atOnce, ...LIMITS });
	const beganAtMs = time.now();
	const storedAtMs: number[] = [];
	const place: Place = { time, service, downlink, recordings, ...LIMITS };
	const work = client(place, () => storedAtMs.push(time.now()));
	await time.run(work);
	if (storedAtMs.length !== count) throw new Error(`${storedAtMs.length} of ${count} are edited`);
	const minutesTo = (ms: number) => (ms - beganAtMs) / 60_000;
	return {
		wall: minutesTo(time.now()),
		firstFile: minutesTo(Math.min(...storedAtMs)),
	};
}

/** Clips and episodes; an episode is the larger file, and is worked on for longer. */
function recordingOf(chance: Chance, index: number): Recording {
	const workSeconds = DURATIONS.mixed(chance);
	const sizeBytes = workSeconds * chance.between(0.05, 0.2) * MB;
	return { name: `r${index}.wav`, sizeBytes, editedBytes: sizeBytes * 0.9, workSeconds };
}
