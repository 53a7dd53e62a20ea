import type { Row } from './benchRun.mts';

const HEAD = ['Bench', 'Bar', 'Figure', 'Goal', 'Result', 'Run'];

const cellsOf = ({ bench, bar, figure, goal, result, run }: Row) =>
	[bench, bar, figure, goal, result, run].map((cell) => cell.replaceAll('|', '\\|'));

/** Returns the page with the rows of the benches that ran, and the other rows of the page before. */
export function pageOf(before: string, ran: readonly Row[], machine: readonly string[]): string {
	const benches = new Set(ran.map(({ bench }) => bench));
	const kept = rowsOf(before).filter(([bench]) => !benches.has(bench));
	const rows = [...kept, ...ran.map(cellsOf)].sort(([a], [b]) => a.localeCompare(b));
	return `# Benchmarks

Written by \`npm run bench\`; do not edit. \`npm run bench -- waiting overhead\` measures two of them again.
SHORT is a figure that misses its goal, FAILED a bench that did not end properly.

The machine of the last run:

${machine.map((line) => `- ${line}`).join('\n')}

${lineOf(HEAD)}
${lineOf(HEAD.map(() => '---'))}
${rows.map(lineOf).join('\n')}
`;
}

const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The cells of the rows of a page. */
function rowsOf(page: string): string[][] {
	const lines = page.split('\n').filter((line) => line.startsWith('| '));
	const cells = lines.map((line) => line.slice(2, -2).split(/(?<!\\) \| /));
	return cells
		.filter(({ length, 0: bench }) => length === HEAD.length && !/^(Bench|-+) *$/.test(bench))
		.map((row) => row.map((cell) => cell.trim()));
}
