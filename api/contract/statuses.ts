/**
 * The statuses of an edit, spec "States and transitions".
 *
 * Tiny pure functions, so that no other file needs to know which word means what.
 * A status that is not in the list counts as running: a new processing state of the
 * service must not end a wait.
 */

/** Every status the spec names, in the order in which an edit goes through them. */
export const EDIT_STATUSES = [
	'PENDING',
	'STARTED',
	'PREPROCESSING',
	'CLASSIFICATION',
	'EDITING',
	'POSTPROCESSING',
	'EXPORT',
	'SUCCESS',
	'FAILURE',
	'RETRY',
] as const;

/** One of the statuses that the spec names. */
export type KnownEditStatus = (typeof EDIT_STATUSES)[number];

/** Whether the spec names this status. */
export function isKnownStatus(status: string): status is KnownEditStatus {
	const names: readonly string[] = EDIT_STATUSES;
	return names.includes(status);
}

/** What an edit's status says about the work: not begun (or unknown id), going on, or over. */
export type EditPhase = 'pending' | 'running' | 'succeeded' | 'failed';

/**
 * The phase a status stands for. `PENDING` is its own phase, because the service also reports it
 * for an id it does not know (spec "States and transitions").
 */
export function phaseOf(status: string): EditPhase {
	switch (status.trim().toUpperCase()) {
		case 'PENDING':
			return 'pending';
		case 'SUCCESS':
			return 'succeeded';
		case 'FAILURE':
			return 'failed';
		default:
			return 'running';
	}
}

/** Whether the service will not change this status any more. */
export function isFinalStatus(status: string): boolean {
	const phase = phaseOf(status);
	return phase === 'succeeded' || phase === 'failed';
}
