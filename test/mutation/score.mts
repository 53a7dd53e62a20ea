import type { MutantResult } from './stryker.mts';

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
