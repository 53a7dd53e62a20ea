/**
 * `npm run house`: measures the structure of the code against its bars. Exits with 1 when one is short.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser';

import config from '../.dependency-cruiser.mjs';
import { printBars } from './bars.mts';
import { runBesideService } from './children.mts';
import { codeLinesOf } from './house/codeLines.mts';
import { fullestFolder, mapsKeyedByContext } from './house/folders.mts';
import { framesByNode } from './house/frames.mts';
import { mostControls, OPEN_FORMS } from './house/openForms.mts';
import { linesAboutUnreleased, nodeVersions } from './house/versions.mts';
import { deadCitations } from './texts/citations.mts';
import { deadFigures, SCRIPTS } from './texts/commands.mts';
import { filesLike, type TextFile, trackedPaths } from './texts/tracked.mts';

/** What the work that took things away came to, and what finding open edits and plainer errors added since. */
const SHIPPED_LINES = 11_294 + 70;

const SHIPPED = ['api', 'credentials', 'formats', 'nodes', 'waiting'];
const ROOTS = [...SHIPPED, 'service', 'demo', 'bench', 'test', 'e2e', '.ci'];

/** A shipped file shorter than this should be a part of the file that uses it. */
const SHORTEST_LINES = 20;

/** The size of the edited file of the one recording. */
const RECORDING_BYTES = 64 * 1_024;

const FRAMES_MAXIMUM: Readonly<Record<string, number>> = { Wait: 11, Create: 8, 'Get Result': 9 };

function codeLinesIn(files: readonly TextFile[]): number {
	return files.reduce((sum, file) => sum + codeLinesOf(file), 0);
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

const shipped = filesLike(new RegExp(`^(${SHIPPED.join('|')})/.*\\.ts$`));
const tooShort = shipped.filter(({ text }) => text.split('\n').length <= SHORTEST_LINES);
for (const { path } of tooShort) console.log(`${path}: less than ${SHORTEST_LINES} lines`);

const maps = shipped.flatMap(mapsKeyedByContext);
for (const found of maps) console.log(found);

const [fullest, fullestFiles] = fullestFolder();
console.log(`Fullest folder outside test/: ${fullest}`);

const recordingRun = join(import.meta.dirname, 'house', 'recordingRun.mts');
const recordingFiles = (await runBesideService(recordingRun, RECORDING_BYTES)) as string[];
if (process.argv.includes('--list')) console.log(recordingFiles.join('\n'));

const unreleased = linesAboutUnreleased();
for (const line of unreleased) console.log(line);

const groups = OPEN_FORMS.map(({ emptyGroups }) => emptyGroups);
for (const { node, controls } of OPEN_FORMS)
	console.log(`${node} opens with ${controls.join(', ')}`);

const sources = filesLike(/\.(m?ts|m?js|cjs|ya?ml|sh)$/);
const dead = deadCitations(sources, trackedPaths(), filesLike(/\.md$/));
for (const line of dead) console.log(line);

const unprinted = deadFigures(
	readFileSync('docs/benchmarks.md', 'utf8'),
	filesLike(/^(bench|e2e)\/.*\.mts$/),
);
for (const figure of unprinted) console.log(`no command prints ${figure}`);

const whole = { decimals: 0 };
printBars([
	{ name: 'node versions', figure: nodeVersions(), limit: 8, ...whole },
	{
		name: 'words about versions that were never released',
		figure: unreleased.length,
		limit: 0,
		...whole,
	},
	{
		name: 'comments that cite what is not in the repository',
		figure: dead.length,
		limit: 0,
		...whole,
	},
	{ name: 'npm scripts', figure: SCRIPTS.length, limit: 20, ...whole },
	{
		name: 'figures of docs/benchmarks.md that no command prints any more',
		figure: unprinted.length,
		limit: 0,
		...whole,
	},
	{
		name: 'controls in Audio Editing as it opens',
		figure: mostControls('AudioEditing'),
		limit: 8,
		...whole,
	},
	{
		name: 'controls in Create Edit, Wait For Edit, Get Result as they open, most',
		figure: mostControls('CreateEdit', 'WaitForEdit', 'GetResult'),
		limit: 7,
		...whole,
	},
	{
		name: 'empty groups in any form as it opens',
		figure: Math.max(...groups.map(({ length }) => length)),
		limit: 1,
		...whole,
	},
	{
		name: 'of these, groups that are not Options',
		figure: groups.flat().filter((name) => name !== 'options').length,
		limit: 0,
		...whole,
	},
	{ name: 'import circles, all files', figure: circles.length, limit: 0, ...whole },
	{ name: 'imports against the room table', figure: againstTable.length, limit: 0, ...whole },
	{
		name: 'shipped lines of code',
		figure: codeLinesIn(shipped),
		limit: SHIPPED_LINES,
		...whole,
	},
	{
		name: 'service lines of code',
		figure: codeLinesIn(filesLike(/^service\/.*\.mts$/)),
		limit: 12_654,
		...whole,
	},
	{ name: 'module-level maps keyed by a context', figure: maps.length, limit: 0, ...whole },
	{
		name: 'files in which code of one recording runs, canvas to edited file',
		figure: recordingFiles.length,
		limit: 65,
		...whole,
	},
	{
		name: 'files beside each other in one folder, most',
		figure: fullestFiles,
		limit: 20,
		...whole,
	},
	{ name: 'files under 20 lines in shipped code', figure: tooShort.length, limit: 2, ...whole },
	...Object.entries(await framesByNode()).map(([node, frames]) => ({
		name: `frames from execute() to n8n's helper, ${node}`,
		// A promise without await hides frames, so no frames at all miss the bar.
		figure: frames.length || Infinity,
		limit: FRAMES_MAXIMUM[node] ?? 0,
		...whole,
	})),
]);
