/**
 * Changes the modules with the rules in thousands of small ways and checks that a test fails for each.
 * `npm run mutate`, with `-- --mutate waiting/rateLimit.ts` only for some files (globs, repeatable), with
 * `-- --incremental` only for what a change affects, with `-- --named` only for the named mutants.
 */
import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installLocked } from '../../.ci/installLocked.mts';
import { printBars } from '../../testkit/measure/bars.mts';
import { RULE_GROUPS } from './rules.mts';
import { runNamedMutants } from './runNamedMutants.mts';
import { type Mutant, runStryker } from './stryker.mts';

const ROOT = join(import.meta.dirname, '..', '..');

const { values } = parseArgs({
	options: {
		mutate: { type: 'string', multiple: true },
		concurrency: { type: 'string', default: '2' },
		incremental: { type: 'boolean', default: false },
		named: { type: 'boolean', default: false },
	},
});

/** Folders that no mutant needs; the sandbox is a copy of the rest. */
const LEFT_OUT = ['/bench', '/demo', '/docs', '/e2e', '/service', '/test/faults', '/workflows'];

const OPTIONS = {
	concurrency: Number(values.concurrency),
	cleanTempDir: 'always',
	ignorePatterns: LEFT_OUT,
	coverageAnalysis: 'perTest',
	ignoreStatic: false,
	plugins: ['@stryker-mutator/jest-runner', join(import.meta.dirname, 'fileByFile.mts')],
	testRunner: 'jest-file-by-file',
	jest: {
		projectType: 'custom',
		configFile: 'jest.config.js',
		enableFindRelatedTests: false,
		config: {
			testEnvironment: join(import.meta.dirname, 'failFast.cjs'),
			setupFiles: [
				'<rootDir>/testkit/process/environment.ts',
				join(import.meta.dirname, 'oneSeed.cjs'),
			],
			testTimeout: 15_000,
		},
	},
	incremental: values.incremental,
	timeoutMS: 10_000,
	timeoutFactor: 2,
	dryRunTimeoutMinutes: 15,
	// Each run of a test file leaks some memory.
	maxTestRunnerReuse: 100,
	// Mutants of constants are slow, but they count, too.
	warnings: { slow: false },
	allowEmpty: true,
	reporters: ['progress-append-only', 'clear-text'],
	allowConsoleColors: false,
	clearTextReporter: { logTests: false, reportTests: false },
};

async function filesOf(patterns: readonly string[]): Promise<string[]> {
	const files: string[] = [];
	for await (const file of glob(patterns, { cwd: ROOT })) files.push(file);
	return files;
}

/** Mutates each group in a sandbox outside of the project, and prints each mutant that survives. */
async function runGroups(): Promise<Mutant[]> {
	const wanted = values.mutate && new Set(await filesOf(values.mutate));
	const mutants: Mutant[] = [];
	for (const { name, mutate: modules, testFiles } of RULE_GROUPS) {
		const mutate = (await filesOf(modules)).filter((file) => wanted?.has(file) ?? true);
		if (mutate.length === 0) continue;
		const incrementalFile = join(ROOT, 'node_modules', '.cache', `mutation-${name}.json`);
		const tempDirName = await mkdtemp(join(tmpdir(), 'audio-editing-mutants-'));
		try {
			const own = { mutate, testFiles: [...testFiles], incrementalFile, tempDirName };
			mutants.push(...(await runStryker({ ...OPTIONS, ...own })));
		} finally {
			await rm(tempDirName, { recursive: true, force: true });
		}
	}
	return mutants;
}

/** Returns the killed mutants in percent, not rounded up. Ignores those that cannot run at all. */
function scoreOf(mutants: readonly Mutant[]): number {
	const countOf = (...statuses: string[]) =>
		mutants.filter(({ status }) => statuses.includes(status)).length;
	const killed = countOf('Killed', 'Timeout');
	// A mutant that no test executes survives, too.
	const all = killed + countOf('Survived', 'NoCoverage');
	return all === 0 ? 100 : Math.floor((1_000 * killed) / all) / 10;
}

const beganAtMs = performance.now();
if (!values.named) {
	await installLocked(import.meta.dirname);
	const name = 'mutation score of the rules';
	const figure = scoreOf(await runGroups());
	printBars([{ name, figure, limit: 90, goal: '>=', decimals: 1, unit: '%' }]);
}
if (values.named || values.mutate === undefined) {
	const { killed, all } = await runNamedMutants();
	printBars([
		{ name: 'named mutants killed', figure: killed, limit: all, goal: '>=', decimals: 0 },
	]);
}
console.log(`(${Math.round((performance.now() - beganAtMs) / 60_000)} minutes)`);
