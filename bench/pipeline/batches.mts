import { table } from '../../demo/report.mts';
import type { Bar } from '../bars.mts';
import { median } from '../median.mts';
import { type Comparison, compare, SCENARIOS } from './scenarios.mts';

const RECORDINGS = 300;

const SEEDS = [1, 2, 3, 4, 5];

const HEAD = [
	...['limited by', 'ideal', 'one node', 'chain', 'node ÷ ideal', 'worst'],
	...['first file: node ÷ chain', 'worst', '429s'],
];

/** Edits batches on a virtual clock and prints the times in minutes. */
export async function measureBatches(): Promise<Bar[]> {
	const rows = [HEAD];
	const walls: number[] = [];
	const firsts: number[] = [];
	for (const scenario of SCENARIOS) {
		const compared: Comparison[] = [];
		for (const seed of SEEDS) compared.push(await compare(scenario, RECORDINGS, seed));
		const medianOf = (figure: (comparison: Comparison) => number) => median(compared.map(figure));
		const worstOf = (figure: (comparison: Comparison) => number) =>
			Math.max(...compared.map(figure)).toFixed(3);
		const wall = ({ node, ideal }: Comparison) => node.wall / ideal.wall;
		const first = ({ node, chain }: Comparison) => node.firstFile / chain.firstFile;
		walls.push(medianOf(wall));
		firsts.push(medianOf(first));
		const minutes = [
			medianOf(({ ideal }) => ideal.wall),
			medianOf(({ node }) => node.wall),
			medianOf(({ chain }) => chain.wall),
		];
		const refusals = compared.reduce((sum, { node }) => sum + node.refusals, 0);
		rows.push([
			...[scenario.name, ...minutes.map((figure) => figure.toFixed(1))],
			...[medianOf(wall).toFixed(3), worstOf(wall)],
			...[medianOf(first).toFixed(3), worstOf(first), String(refusals)],
		]);
	}
	console.log(`${RECORDINGS} recordings, in minutes; medians and worst of ${SEEDS.length} seeds:`);
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
