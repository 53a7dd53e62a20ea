/**
 * `npm run house`: measures the structure of the code against its bars. Exits with 1 when one is short.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser';

import config from '../.dependency-cruiser.mjs';
import { count as most, printBars } from './bars.mts';
import { runBesideService } from './children.mts';
import { codeLinesOf } from './house/codeLines.mts';
import { fullestFolder, mapsKeyedByContext } from './house/folders.mts';
import { framesByNode } from './house/frames.mts';
import { mostControls, OPEN_FORMS } from './house/openForms.mts';
import { linesAboutUnreleased, nodeVersions } from './house/versions.mts';
import { deadCitations } from './texts/citations.mts';
import { deadFigures, SCRIPTS } from './texts/commands.mts';
import { filesLike, type TextFile, trackedPaths } from './texts/tracked.mts';

/** What the work that took things away came to; since then open edits, plainer errors, limits of spending, links for a review. */
const SHIPPED_LINES = 11_294 + 70 + 97 + 24;

/**
 * The same, and what words said alone, real fillers, silences in noise and music, the time of a probe, operating it,
 * bursts of noise, crowds, speech and reviews by a person added.
 */
const SERVICE_LINES = 12_654 + 7 + 131 + 200 + 9 + 448 + 278 + 861 + 27 + 2_750;

/** Two lines of proof for each line of the product: 40,000, and 4,439 for what came after that goal, would do. */
const PROOF_LINES = 53_543;

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

const openCreateWaitAndGet = mostControls('CreateEdit', 'WaitForEdit', 'GetResult');
const emptyGroups = Math.max(...groups.map(({ length }) => length));
const otherGroups = groups.flat().filter((name) => name !== 'options');
const serviceLines = codeLinesIn(filesLike(/^service\/.*\.mts$/));
const proof = filesLike(/^(test|bench|e2e)\/.*\.(m?ts|m?js|cjs|py)$/);
const proofLines = proof.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

printBars([
	most('node versions', nodeVersions(), 8),
	most('words about versions that were never released', unreleased.length, 0),
	most('comments that cite what is not in the repository', dead.length, 0),
	most('npm scripts', SCRIPTS.length, 20),
	most('figures of docs/benchmarks.md that no command prints any more', unprinted.length, 0),
	most('controls in Audio Editing as it opens', mostControls('AudioEditing'), 8),
	most(
		'controls in Create Edit, Wait For Edit, Get Result as they open, most',
		openCreateWaitAndGet,
		7,
	),
	most('empty groups in any form as it opens', emptyGroups, 1),
	most('of these, groups that are not Options', otherGroups.length, 0),
	most('import circles, all files', circles.length, 0),
	most('imports against the room table', againstTable.length, 0),
	most('shipped lines of code', codeLinesIn(shipped), SHIPPED_LINES),
	most('service lines of code', serviceLines, SERVICE_LINES),
	most('lines of tests, benches and e2e', proofLines, PROOF_LINES),
	most('module-level maps keyed by a context', maps.length, 0),
	most(
		'files in which code of one recording runs, canvas to edited file',
		recordingFiles.length,
		65,
	),
	most('files beside each other in one folder, most', fullestFiles, 20),
	most('files under 20 lines in shipped code', tooShort.length, 2),
	...Object.entries(await framesByNode()).map(([node, frames]) =>
		most(
			`frames from execute() to n8n's helper, ${node}`,
			// A promise without await hides frames, so no frames at all miss the bar.
			frames.length || Infinity,
			FRAMES_MAXIMUM[node] ?? 0,
		),
	),
]);
