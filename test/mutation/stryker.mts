/**
 * What we use of Stryker, and nothing else. The first `npm run mutate` installs its packages; where
 * nobody ran it, the linter and the compiler have only these types.
 */

interface Position {
	readonly line: number;
	readonly column: number;
}

/** A change of a file; after its tests, with what became of it. */
export interface Mutant {
	readonly id: string;
	readonly fileName: string;
	readonly location: { readonly start: Position; readonly end: Position };
	readonly status: string;
}

/** How often tests execute each mutant: while a file loads, and by the names of its tests. */
export interface MutantCoverage {
	static: Record<string, number>;
	perTest: Record<string, Record<string, number>>;
}

export interface TestResult {
	readonly id: string;
	readonly timeSpentMs: number;
}

/** The result of the run without a mutant. */
export type DryRunResult =
	| { status: 'complete'; tests: readonly TestResult[]; mutantCoverage?: MutantCoverage }
	| { status: 'error' | 'timeout' };

export interface DryRunOptions {
	readonly testFiles?: readonly string[];
}

export interface MutantRunOptions {
	readonly activeMutant: Mutant;
	readonly testFilter?: readonly string[];
	/** Whether the mutant is in code that runs when its module loads. */
	readonly reloadEnvironment: boolean;
}

export type MutantRunResult =
	| { status: 'killed'; killedBy: readonly string[] }
	| { status: 'survived'; nrOfTests: number }
	| { status: 'error' | 'timeout' };

/** Runs the tests; a plugin of Stryker. */
export interface TestRunner {
	capabilities(): unknown;
	init?(): Promise<void>;
	dryRun(options: DryRunOptions): Promise<DryRunResult>;
	mutantRun(options: MutantRunOptions): Promise<MutantRunResult>;
	dispose?(): Promise<void>;
}

/** Stryker's options; only those that we read again have a type. */
interface Options extends Readonly<Record<string, unknown>> {
	readonly jest: { readonly config: object };
}

/** Passes its values to the functions that it calls. */
export interface Injector {
	resolve(token: 'options'): Options;
	provideValue(token: 'options', value: Options): Injector;
	injectFunction(factory: (injector: Injector) => TestRunner): TestRunner;
}

/** Mutates and tests as the options say. */
export async function runStryker(options: Options): Promise<Mutant[]> {
	const { Stryker } = (await installed('@stryker-mutator/core')) as {
		Stryker: new (options: Options) => { runMutationTest(): Promise<Mutant[]> };
	};
	return await new Stryker(options).runMutationTest();
}

/** Stryker's own runner for jest. */
export async function jestRunnerFactory(): Promise<(injector: Injector) => TestRunner> {
	const { strykerPlugins } = (await installed('@stryker-mutator/jest-runner')) as {
		strykerPlugins: Array<{ factory: (injector: Injector) => TestRunner }>;
	};
	return strykerPlugins[0].factory;
}

async function installed(name: string): Promise<unknown> {
	return await import(name);
}
