import { table } from '../../demo/report.mts';
import type { Bar } from '../bars.mts';
import { median } from '../median.mts';
import { type Comparison, compare, SCENARIOS } from './scenarios.mts';

const RECORDINGS = 300;

const SEEDS = [1, 2, 3, 4, 5];

const HEAD = [
	'limited by',
	'ideal',
	'one node',
	'chain',
	'node ÷ ideal',
	'worst',
	'chain ÷ ideal',
	'first file: node',
	'chain',
	'node ÷ chain',
	'worst',
	'429s',
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
		rows.push([
			scenario.name,
			medianOf(({ ideal }) => ideal.wall).toFixed(1),
			medianOf(({ node }) => node.wall).toFixed(1),
			medianOf(({ chain }) => chain.wall).toFixed(1),
			medianOf(wall).toFixed(3),
			worstOf(wall),
			medianOf(({ chain, ideal }) => chain.wall / ideal.wall).toFixed(3),
			medianOf(({ node }) => node.firstFile).toFixed(2),
			medianOf(({ chain }) => chain.firstFile).toFixed(1),
			medianOf(first).toFixed(3),
			worstOf(first),
			String(compared.reduce((sum, { node }) => sum + node.refusals, 0)),
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
