/**
 * A Stryker test runner on top of its jest runner, which loads every related test file for every
 * mutant. This one runs a mutant's test files one after another, the quickest first, and stops at the
 * first that fails. Most mutants then cost one test file instead of thirty.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';

import ts from 'typescript';

import {
	type DryRunOptions,
	type DryRunResult,
	type Injector,
	jestRunnerFactory,
	type Mutant,
	type MutantCoverage,
	type MutantRunOptions,
	type MutantRunResult,
	type TestResult,
	type TestRunner,
} from './stryker.mts';

/** What the first run, without a mutant, showed about a test file. */
interface SeenFile {
	readonly path: string;
	readonly elapsedMs: number;
	/** The mutants it executes while it loads, outside of any test. */
	readonly staticMutants: readonly string[];
	/** The mutants that one of its tests executes. */
	readonly coveredMutants: readonly string[];
}

/** In the sandbox, which all runners share: one of them makes the first run. */
const PLAN_FILE = 'mutation-plan.json';

class FileByFileRunner implements TestRunner {
	private readonly jest: TestRunner;
	/** Passed to jest as its `testMatch`, which it reads on each run. */
	private readonly testMatch: string[];
	private plan: readonly SeenFile[] | undefined;

	constructor(jest: TestRunner, testMatch: string[]) {
		this.jest = jest;
		this.testMatch = testMatch;
	}

	capabilities() {
		return this.jest.capabilities();
	}

	async init(): Promise<void> {
		await this.jest.init?.();
	}

	async dispose(): Promise<void> {
		await this.jest.dispose?.();
	}

	async dryRun(options: DryRunOptions): Promise<DryRunResult> {
		const tests: TestResult[] = [];
		const mutantCoverage: MutantCoverage = { static: {}, perTest: {} };
		const plan: SeenFile[] = [];
		for (const testFile of options.testFiles ?? []) {
			const path = relative(process.cwd(), testFile);
			this.useFile(path);
			const beganAtMs = performance.now();
			const result = await this.jest.dryRun({ ...options, testFiles: undefined });
			const elapsedMs = performance.now() - beganAtMs;
			if (result.status !== 'complete') return result;
			const covered = coverageSince(result.mutantCoverage);
			const staticMutants = Object.keys(covered.static);
			const inTests = Object.values(covered.perTest).flatMap(Object.keys);
			plan.push({ path, elapsedMs, staticMutants, coveredMutants: [...new Set(inTests)] });
			for (const [mutant, hits] of Object.entries(covered.static)) {
				mutantCoverage.static[mutant] = (mutantCoverage.static[mutant] ?? 0) + hits;
			}
			for (const [name, hits] of Object.entries(covered.perTest)) {
				mutantCoverage.perTest[idOf(path, name)] = hits;
			}
			// Each test bears its share of the time that the file takes to load.
			const timeSpentMs = elapsedMs / Math.max(1, result.tests.length);
			for (const test of result.tests) {
				tests.push({ ...test, id: idOf(path, test.id), timeSpentMs });
			}
		}
		plan.sort((a, b) => a.elapsedMs - b.elapsedMs);
		await writeFile(PLAN_FILE, JSON.stringify(plan));
		return { status: 'complete', tests, mutantCoverage };
	}

	async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
		this.plan ??= JSON.parse(await readFile(PLAN_FILE, 'utf8')) as SeenFile[];
		let nrOfTests = 0;
		for (const run of await runsFor(options, this.plan)) {
			this.useFile(run.path);
			const result = await this.jest.mutantRun({ ...options, testFilter: run.names });
			if (result.status === 'killed') {
				return { ...result, killedBy: result.killedBy.map((name) => idOf(run.path, name)) };
			}
			if (result.status !== 'survived') return result;
			nrOfTests += result.nrOfTests;
		}
		return { status: 'survived', nrOfTests };
	}

	private useFile(path: string): void {
		this.testMatch.splice(0, Infinity, `<rootDir>/${path}`);
	}
}

/** A test file to run and its relevant tests; without names, all of them. */
interface FileRun {
	readonly path: string;
	readonly names?: string[];
}

/**
 * Returns the files whose tests execute a mutant. A mutant outside of functions runs once per file, when
 * its module is first imported, perhaps by the first of many tests. There all tests of the file matter.
 */
async function runsFor(
	{ activeMutant, testFilter = [], reloadEnvironment: isStatic }: MutantRunOptions,
	plan: readonly SeenFile[],
): Promise<FileRun[]> {
	const isWhole = isStatic || (await isOutsideFunctions(activeMutant));
	return plan.flatMap(({ path, staticMutants, coveredMutants }) => {
		if (isWhole) {
			const executes = [...staticMutants, ...coveredMutants].includes(activeMutant.id);
			return executes ? [{ path }] : [];
		}
		const prefix = idOf(path, '');
		const ids = testFilter.filter((id) => id.startsWith(prefix));
		return ids.length === 0 ? [] : [{ path, names: ids.map((id) => id.slice(prefix.length)) }];
	});
}

/** Whether a mutant lies outside of every function of its file, such as in a constant. */
async function isOutsideFunctions({ fileName, location }: Mutant): Promise<boolean> {
	const text = await readFile(fileName, 'utf8');
	const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest);
	const [from, to] = [location.start, location.end].map(({ line, column }) =>
		source.getPositionOfLineAndCharacter(line, column),
	);
	const isWithinFunction = (node: ts.Node): boolean =>
		node.getFullStart() <= from &&
		to <= node.getEnd() &&
		(ts.isFunctionLike(node) || (ts.forEachChild(node, isWithinFunction) ?? false));
	return !isWithinFunction(source);
}

/** Test names are unique only within a file. */
function idOf(path: string, testName: string): string {
	return `${path} > ${testName}`;
}

/** Returns the coverage since the last call; the jest runner adds up all files of a process. */
function coverageSince(sum: MutantCoverage = { static: {}, perTest: {} }): MutantCoverage {
	const covered = structuredClone(sum);
	for (const part of [sum.static, sum.perTest]) {
		for (const key of Object.keys(part)) Reflect.deleteProperty(part, key);
	}
	return covered;
}

const jestRunner = await jestRunnerFactory();

function createRunner(injector: Injector): TestRunner {
	const options = injector.resolve('options');
	const testMatch: string[] = [];
	const { jest } = options;
	const own = { ...options, jest: { ...jest, config: { ...jest.config, testMatch } } };
	const inner = injector.provideValue('options', own).injectFunction(jestRunner);
	return new FileByFileRunner(inner, testMatch);
}
createRunner.inject = ['$injector'] as const;

/** Stryker looks for this export in a module of plugins. */
export const strykerPlugins = [
	{ kind: 'TestRunner', name: 'jest-file-by-file', factory: createRunner },
];
