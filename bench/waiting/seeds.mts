import type { Bar } from '../bars.mts';
import { median } from '../median.mts';
import { DURATIONS, makeBatch } from './batch.mts';
import { runTrial, type TrialResult } from './trial.mts';

/** The seeds of the figures: the scheduler was developed on 1 to 20. */
export const SEEDS: readonly number[] = Array.from({ length: 20 }, (_, index) => 101 + index);

/** Lets our loop wait for one batch of each seed. */
export async function trialsOfSeeds(
	edits: number,
	parallelism: number,
	durations = DURATIONS.mixed,
): Promise<TrialResult[]> {
	const results: TrialResult[] = [];
	for (const seed of SEEDS) {
		const batch = makeBatch(edits, parallelism, true, seed, durations);
		results.push(await runTrial(batch));
	}
	return results;
}

/** Two bars: the median and the worst of the seeds. */
export function barsOfSeeds(
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
