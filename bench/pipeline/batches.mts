import { table } from '../../demo/report.mts';
import type { Bar } from '../bars.mts';
import { median } from '../median.mts';
import { type Comparison, compare, SCENARIOS } from './scenarios.mts';

const RECORDINGS = 300;

const SEEDS = [1, 2, 3, 4, 5];

/** Edits batches on a virtual clock and prints the times in minutes. */
export async function measureBatches(): Promise<Bar[]> {
	const rows = [
		['limited by', 'ideal', 'one node', 'chain', 'node ÷ ideal', 'first: node ÷ chain'],
	];
	const walls: number[] = [];
	const firsts: number[] = [];
	for (const scenario of SCENARIOS) {
		const compared: Comparison[] = [];
		for (const seed of SEEDS) compared.push(await compare(scenario, RECORDINGS, seed));
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
