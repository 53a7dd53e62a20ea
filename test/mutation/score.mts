import type { MutantResult } from '@stryker-mutator/api/core';

/** What became of the mutants of a file. */
export interface FileScore {
	readonly file: string;
	readonly killed: number;
	readonly survived: number;
	readonly notCovered: number;
	readonly score: number;
}

/** Whether a test failed, or the mutant made one run without end. */
const isKilled = ({ status }: MutantResult) => status === 'Killed' || status === 'Timeout';

/** Whether no test failed; a mutant that no test executes counts as one that survived. */
export const hasSurvived = ({ status }: MutantResult) =>
	status === 'Survived' || status === 'NoCoverage';

/**
 * The killed mutants in percent of all, not rounded up. Those that cannot run at all count neither way.
 */
export function scoreOf(mutants: readonly MutantResult[]): number {
	const killed = mutants.filter(isKilled).length;
	const survived = mutants.filter(hasSurvived).length;
	return killed + survived === 0 ? 100 : Math.floor((1_000 * killed) / (killed + survived)) / 10;
}

/** The scores of the files, in the order of their paths. */
export function scoresByFile(mutants: readonly MutantResult[]): FileScore[] {
	const files = [...new Set(mutants.map(({ fileName }) => fileName))].sort();
	return files.map((file) => {
		const own = mutants.filter(({ fileName }) => fileName === file);
		return {
			file,
			killed: own.filter(isKilled).length,
			survived: own.filter(({ status }) => status === 'Survived').length,
			notCovered: own.filter(({ status }) => status === 'NoCoverage').length,
			score: scoreOf(own),
		};
	});
}
