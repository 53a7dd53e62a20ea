import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type MutantResult, runStryker } from './stryker.mts';

/** What to mutate, and how. */
export interface MutationRun {
	/** Paths or globs from the root of the project. */
	readonly mutate: readonly string[];
	/** Paths or globs of the test files that may kill a mutant. */
	readonly testFiles: readonly string[];
	/** Number of mutants tested at the same time. */
	readonly concurrency: number;
	/** If set, keeps the results in this file and repeats only what a change affects. */
	readonly resultsFile?: string;
}

/** Each run of a test file leaks some memory. */
const MUTANTS_PER_PROCESS = 100;

/** Folders that no mutant needs; the sandbox is a copy of the rest. */
const LEFT_OUT = [
	'/bench',
	'/demo',
	'/docs',
	'/e2e',
	'/service',
	'/test/faults',
	'/test/service',
	'/workflows',
];

/** Mutates the files and runs the tests of each mutant, in a sandbox outside of the project. */
export async function runMutants(run: MutationRun): Promise<MutantResult[]> {
	const tempDirName = await mkdtemp(join(tmpdir(), 'audio-editing-mutants-'));
	try {
		return await runStryker({
			mutate: [...run.mutate],
			testFiles: [...run.testFiles],
			concurrency: run.concurrency,
			tempDirName,
			cleanTempDir: 'always',
			ignorePatterns: LEFT_OUT,
			coverageAnalysis: 'perTest',
			ignoreStatic: false,
			plugins: ['@stryker-mutator/jest-runner', join(import.meta.dirname, 'fileByFile.mts')],
			testRunner: 'jest-file-by-file',
			jest: JEST_OPTIONS,
			incremental: run.resultsFile !== undefined,
			incrementalFile: run.resultsFile,
			timeoutMS: 10_000,
			timeoutFactor: 2,
			dryRunTimeoutMinutes: 15,
			maxTestRunnerReuse: MUTANTS_PER_PROCESS,
			warnings: ALL_BUT_SLOW,
			allowEmpty: true,
			reporters: ['progress-append-only', 'clear-text'],
			clearTextReporter: { allowColor: false, reportTests: false, reportMutants: false },
		});
	} finally {
		await rm(tempDirName, { recursive: true, force: true });
	}
}

/** The differences from the project's own jest configuration. */
const JEST_CONFIG = {
	testEnvironment: join(import.meta.dirname, 'failFast.cjs'),
	setupFiles: ['<rootDir>/test/support/environment.ts', join(import.meta.dirname, 'oneSeed.cjs')],
	testTimeout: 15_000,
};

const JEST_OPTIONS = {
	projectType: 'custom',
	configFile: 'jest.config.js',
	enableFindRelatedTests: false,
	config: JEST_CONFIG,
};

/** Mutants of constants are slow, but they count, too. */
const ALL_BUT_SLOW = {
	slow: false,
	unknownOptions: true,
	preprocessorErrors: true,
	unserializableOptions: true,
};
