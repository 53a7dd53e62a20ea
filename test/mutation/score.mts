import type { MutantResult } from './stryker.mts';

/** How many mutants of a file were killed and survived. */
export interface FileScore {
	readonly file: string;
	readonly killed: number;
	readonly survived: number;
	readonly notCovered: number;
	readonly score: number;
}

/** Whether a test failed, or ran too long. */
const isKilled = ({ status }: MutantResult) => status === 'Killed' || status === 'Timeout';

/** Whether no test failed. A mutant that no test executes survives, too. */
export const hasSurvived = ({ status }: MutantResult) =>
	status === 'Survived' || status === 'NoCoverage';

/** Returns the killed mutants in percent, not rounded up. Ignores those that cannot run at all. */
export function scoreOf(mutants: readonly MutantResult[]): number {
	const killed = mutants.filter(isKilled).length;
	const survived = mutants.filter(hasSurvived).length;
	return killed + survived === 0 ? 100 : Math.floor((1_000 * killed) / (killed + survived)) / 10;
}

/** Returns the scores of the files, sorted by path. */
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
