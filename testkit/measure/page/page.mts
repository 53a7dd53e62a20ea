import type { Row } from './benchRun.mts';

const HEAD = ['Bar', 'Figure', 'Goal', 'Result'];

/** A page that a command writes, which is not committed. */
export interface Page {
	readonly path: string;
	/** The title, and what to know before the figures. */
	readonly head: string;
}

export const BENCHMARKS: Page = {
	path: 'measured/benchmarks.md',
	head: `# Benchmarks

Written by \`npm run bench -- page\`; do not edit. \`npm run bench -- page waiting overhead\` measures two of them
again. \`A / B\` is a ratio. SHORT is a figure that misses its goal, FAILED a bench that did not end properly.`,
};

export const QUALITY: Page = {
	path: 'measured/quality.md',
	head: `# How good the edits are

Written by \`npm run eval -w service -- page\`; do not edit. docs/editing-engine.md says what the figures mean.
Speakers who judge have tuned nothing. SHORT is a figure that misses its goal, FAILED a run that did not end properly.
Words cut are stated for each condition, because a mean hides a bad one.

To judge another service of this API with the same recordings, say where it is. You are charged for each edit. A service
does not say of which kind its cuts are, so compare the words that are cut and what is found:

\`\`\`sh
AUDIO_EDITING_KEY=… npm run eval -w service -- recorded --url https://api.example.com --yes
\`\`\``,
};

/**
 * Returns the page with a section for each entry: those that ran, and the other sections of the page before.
 * The time and commit of a run are above its table, so that no table is wider than a window.
 */
export function pageOf(
	head: string,
	before: string,
	ran: readonly Row[],
	machine: readonly string[],
): string {
	const sections = sectionsOf(before);
	for (const bench of new Set(ran.map((row) => row.bench))) {
		sections.set(bench, sectionOf(ran.filter((row) => row.bench === bench)));
	}
	const sorted = [...sections].sort(([one], [other]) => one.localeCompare(other));
	return `${head}

The machine of the last run:

${machine.map((line) => `- ${line}`).join('\n')}

${sorted.map(([bench, text]) => `## ${bench}\n\n${text}\n`).join('\n')}`;
}

function sectionsOf(page: string): Map<string, string> {
	const [, ...sections] = page.split(/^## /m);
	return new Map(
		sections.map((section) => {
			const [heading] = section.split('\n', 1);
			return [heading, section.slice(heading.length).trim()];
		}),
	);
}

function sectionOf(rows: readonly Row[]): string {
	const cells = rows.map(({ bar, figure, goal, result }) =>
		[bar, figure, goal, result].map((cell) => cell.replaceAll('|', '\\|')),
	);
	const table = [HEAD, HEAD.map(() => '---'), ...cells].map(lineOf);
	return [`Measured ${rows[0].run}.`, '', ...table].join('\n');
}

const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
