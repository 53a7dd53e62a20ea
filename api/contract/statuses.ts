/** The statuses of an edit (api.md#states), in the order in which an edit has them. */
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

/** One of the statuses that the API documents. */
export type KnownEditStatus = (typeof EDIT_STATUSES)[number];

/** Whether the API documents this status. */
export function isKnownStatus(status: string): status is KnownEditStatus {
	const names: readonly string[] = EDIT_STATUSES;
	return names.includes(status);
}

/** The phases of an edit: not begun (or an unknown ID), at work, or over. */
export type EditPhase = 'pending' | 'running' | 'succeeded' | 'failed';

/**
 * The phase of a status. `QUEUED`, which some services send (api.md#beyond-this-page), has not begun either.
 * An unknown status counts as running: a new status of the service must not end a wait.
 */
export function phaseOf(status: string): EditPhase {
	switch (status.trim().toUpperCase()) {
		case 'PENDING':
		case 'QUEUED':
			return 'pending';
		case 'SUCCESS':
			return 'succeeded';
		case 'FAILURE':
			return 'failed';
		default:
			return 'running';
	}
}

/** Whether the service reports this status also for an ID that it does not know (api.md#states). */
export function mayBeUnknown(status: string): boolean {
	return status.trim().toUpperCase() === 'PENDING';
}

/** Whether the edit is over, so that its status will not change. */
export function isFinalStatus(status: string): boolean {
	const phase = phaseOf(status);
	return phase === 'succeeded' || phase === 'failed';
}
