/**
 * `npm run house`: measures the structure of the code against its bars. Exits with 1 when one is short.
 */
import { globSync, readFileSync } from 'node:fs';

import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser';

import config from '../.dependency-cruiser.mjs';
import { printBars } from './bars.mts';
import { framesByNode } from './house/frames.mts';
import { linesAboutUnreleased, nodeVersions } from './house/versions.mts';

/** Lines that may not be reached. A limit goes down with what is taken away. */
const BEFORE = { shippedLines: 14_928, serviceLines: 18_901 };

const SHIPPED = ['api', 'credentials', 'formats', 'nodes', 'waiting'];
const ROOTS = [...SHIPPED, 'service', 'demo', 'bench', 'test', 'e2e', '.ci'];

/** A shipped file shorter than this should be a part of the file that uses it. */
const CRUMB_LINES = 20;

const FRAMES_MAXIMUM: Readonly<Record<string, number>> = { Wait: 11, Create: 8, 'Get Result': 9 };

interface SourceFile {
	path: string;
	text: string;
	lines: number;
}

/** The files of some folders by their ending. */
function filesOf(folders: readonly string[], ending: string): SourceFile[] {
	const patterns = folders.map((folder) => `${folder}/**/*${ending}`);
	const paths = globSync(patterns, { exclude: (name) => name === 'node_modules' });
	return paths.map((path) => {
		const text = readFileSync(path, 'utf8');
		return { path, text, lines: text.split('\n').length - 1 };
	});
}

function linesOf(files: readonly SourceFile[]): number {
	return files.reduce((sum, { lines }) => sum + lines, 0);
}

/** Whether a file describes a form or the shape of what is sent and received. */
function isFormOrSchema({ path, text }: SourceFile): boolean {
	return text.includes('INodeProperties') || path.startsWith('api/contract/');
}

/** The imports that break a rule of lint's. */
async function violations(): Promise<IViolation[]> {
	const { forbidden } = config;
	const options = { ...config.options, validate: true, ruleSet: { forbidden } };
	const { output } = await cruise(ROOTS, options);
	if (typeof output === 'string') throw new Error('dependency-cruiser gave a text, not its result');
	const { summary }: ICruiseResult = output;
	if (summary.totalCruised < 300) throw new Error(`Only ${summary.totalCruised} files were read`);
	return summary.violations;
}

const broken = await violations();
const circles = broken.filter(({ type }) => type === 'cycle');
const againstTable = broken.filter(({ type }) => type !== 'cycle');
for (const { from, to } of broken) console.log(`${from} → ${to}`);

const shipped = filesOf(SHIPPED, '.ts');
const crumbs = shipped.filter(({ lines }) => lines < CRUMB_LINES);
for (const { path, lines } of crumbs) console.log(`${path}: ${lines} lines`);

const unreleased = linesAboutUnreleased();
for (const line of unreleased) console.log(line);

const whole = { decimals: 0 };
printBars([
	{ name: 'node versions', figure: nodeVersions(), limit: 8, ...whole },
	{
		name: 'words about versions that were never released',
		figure: unreleased.length,
		limit: 0,
		...whole,
	},
	{ name: 'import circles, all files', figure: circles.length, limit: 0, ...whole },
	{ name: 'imports against the room table', figure: againstTable.length, limit: 0, ...whole },
	{
		name: 'shipped lines outside forms and schemas',
		figure: linesOf(shipped.filter((file) => !isFormOrSchema(file))),
		limit: BEFORE.shippedLines - 1,
		...whole,
	},
	{
		name: 'service lines',
		figure: linesOf(filesOf(['service'], '.mts')),
		limit: BEFORE.serviceLines - 1,
		...whole,
	},
	{ name: 'files under 20 lines in shipped code', figure: crumbs.length, limit: 3, ...whole },
	...Object.entries(await framesByNode()).map(([node, frames]) => ({
		name: `frames from execute() to n8n's helper, ${node}`,
		// A promise without await hides frames, so no frames at all miss the bar.
		figure: frames.length || Infinity,
		limit: FRAMES_MAXIMUM[node] ?? 0,
		...whole,
	})),
]);
