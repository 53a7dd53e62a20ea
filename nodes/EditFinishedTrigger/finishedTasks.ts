import {
	type CompletedTask,
	RETENTION_DAYS,
	isFinalStatus,
	isKnownStatus,
	phaseOf,
} from '../../api/contract';

/** What the trigger keeps between polls. */
export interface SeenTasks {
	/** The template whose tasks these are. */
	templateId: number;
	/**
	 * Every task that was emitted or skipped, by its ID: 0 while the service lists it, else the time since
	 * when it does not, in milliseconds since 1970.
	 */
	missingSinceMs: Record<string, number>;
}

/** A task that the list of the last 7 days has not had for this long does not come back. */
const FORGOTTEN_AFTER_MS = RETENTION_DAYS * 86_400_000;

/**
 * Finds the finished tasks that no earlier poll has seen. Only IDs count: several tasks may have the same
 * time, pages may come in another order, and a task may be missing from one response and back in the next.
 *
 * @param listed the response of the service, newest first (api.md#completed-tasks)
 * @param seen what the last poll kept
 * @param most how many new tasks to take; the rest is new again at the next poll
 * @returns the new tasks, oldest first, and what to keep once they are emitted
 */
export function findNewTasks(
	listed: readonly CompletedTask[],
	seen: SeenTasks,
	nowMs: number,
	most = Infinity,
): { tasks: CompletedTask[]; seen: SeenTasks } {
	const known = new Map(Object.entries(seen.missingSinceMs));
	const usable = listed.filter(({ id, status }) => id !== '' && isFinished(status));
	const finished = new Map(usable.map((task) => [task.id, task] as const));
	const unseen = [...finished.values()].filter(({ id }) => !known.has(id));
	const tasks = unseen.reverse().slice(0, most);
	const kept = [...known].flatMap(([id, missingSinceMs]): [string, number][] => {
		if (finished.has(id)) return [[id, 0]];
		const sinceMs = missingSinceMs === 0 ? nowMs : missingSinceMs;
		return nowMs - sinceMs > FORGOTTEN_AFTER_MS ? [] : [[id, sinceMs]];
	});
	const added = tasks.map(({ id }): [string, number] => [id, 0]);
	return { tasks, seen: { ...seen, missingSinceMs: Object.fromEntries([...kept, ...added]) } };
}

/** Whether a completed task has a final status, or one that is not known; not one of an edit at work. */
export function isFinished(status: string): boolean {
	return isFinalStatus(status) || !isKnownStatus(status.trim().toUpperCase());
}

/** Words for a failure in statuses that api.md#states does not have. */
const FAILURE_WORD = /fail|error|abort|cancel|reject|expire/i;

/**
 * Whether a finished task failed. Every other one succeeded, also with a status that is empty or not in
 * api.md#states, such as `completed`: the service lists completed tasks. So each finished task is one or the other.
 */
export function hasFailed(status: string): boolean {
	return phaseOf(status) === 'failed' || FAILURE_WORD.test(status);
}
