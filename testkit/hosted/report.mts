import type { Calls } from './calls.mts';
import type { Outcome } from './trial.mts';

/** The report of a run, without secrets. */
export interface Report extends Outcome {
	readonly service: string;
	readonly date: string;
	/** How many steps failed. */
	readonly failed: number;
}

/** @param calls knows the secrets that the report must not show. */
export function reportOf(calls: Calls, outcome: Outcome): Report {
	const failed = outcome.steps.filter(({ isGood }) => !isGood).length;
	const date = new Date().toISOString();
	return calls.hideAll({ service: calls.origin, date, failed, ...outcome }) as Report;
}

/** What a person reads at the end. */
export function summaryOf({ steps, failed, findings, statuses, costInCredit }: Report): string[] {
	return [
		`${steps.length - failed} of ${steps.length} steps are as the contract says.`,
		`Statuses of the edit: ${statuses.join(', ') || 'none'}.`,
		`Credit used: ${costInCredit ?? 'unknown'}.`,
		`Beyond docs/api.md: ${findings.length === 0 ? 'nothing' : ''}`,
		...findings.map(({ call, what }) => `  ${call}: ${what}`),
	];
}
