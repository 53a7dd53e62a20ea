import { RESULT_KEYS } from './editResult';
import { isNothing, isRecord, numberOrNothing } from './tolerance';
import { sanitizeText } from '../sanitizeText';

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
	return PHASES.get(status.trim().toUpperCase()) ?? 'running';
}

const PHASES: ReadonlyMap<string, EditPhase> = new Map([
	['PENDING', 'pending'],
	['QUEUED', 'pending'],
	['SUCCESS', 'succeeded'],
	['FAILURE', 'failed'],
]);

/** Whether the service reports this status also for an ID that it does not know (api.md#states). */
export function mayBeUnknown(status: string): boolean {
	return status.trim().toUpperCase() === 'PENDING';
}

/** Whether the edit is over, so that its status will not change. */
export function isFinalStatus(status: string): boolean {
	const phase = phaseOf(status);
	return phase === 'succeeded' || phase === 'failed';
}

/** How far the service is with an edit, where it says so. */
export interface EditProgress {
	/** Units done, in a unit of the service. */
	readonly done?: number;
	/** Units in all. */
	readonly total?: number;
	/** One line of at most 100 characters, such as `12 of 40, encode`. */
	readonly text: string;
}

/** The keys that name what the service is doing, from coarse to fine. */
const STEP_KEYS = ['state', 'phase', 'step', 'substep'] as const;

const PROGRESS_KEYS = ['done', 'total', ...STEP_KEYS, 'job_name'] as const;

/** The keys of a result that a report of progress may have, too. */
const SHARED_KEYS = ['video', 'filename', 'notes'];

/** The keys whose content makes a result more than a report of progress, superseded ones included. */
const CONTENT_KEYS = [...RESULT_KEYS, 'url', 'transcript', 'summary'].filter(
	(key) => !SHARED_KEYS.includes(key),
);

const MAX_TEXT_CHARACTERS = 100;

/**
 * Returns the progress that a service sends in place of the `result`; undefined for a result, and for
 * anything else. Services send it while an edit runs (api.md#beyond-this-page), and
 * for a while with the status SUCCESS.
 */
export function progressIn(result: unknown): EditProgress | undefined {
	if (!isRecord(result) || CONTENT_KEYS.some((key) => !isNothing(result[key]))) return undefined;
	if (PROGRESS_KEYS.every((key) => isNothing(result[key]))) return undefined;
	const done = numberOrNothing.parse(result.done);
	const total = numberOrNothing.parse(result.total);
	const counted =
		done !== undefined && (total === undefined ? `${done} done` : `${done} of ${total}`);
	const steps = STEP_KEYS.map((key) => stepText(key, result[key])).filter(isWord);
	// The name of the job only helps where nothing else says what is being done.
	const named = steps.length > 0 ? steps : [stepText('job', result.job_name)].filter(isWord);
	const text = sanitizeText([counted, ...new Set(named)].filter(Boolean).join(', '));
	const counts = { ...(done !== undefined && { done }), ...(total !== undefined && { total }) };
	return { ...counts, text: text.slice(0, MAX_TEXT_CHARACTERS) };
}

/** A number says nothing without its name: clients of such services type the steps as numbers. */
function stepText(name: string, value: unknown): unknown {
	return typeof value === 'number' ? `${name} ${value}` : value;
}

function isWord(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}
