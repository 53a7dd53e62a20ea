import {
	type CompletedTask,
	RETENTION_DAYS,
	isFinalStatus,
	isKnownStatus,
} from '../../api/contract';

/** What the trigger keeps between polls. */
export interface SeenTasks {
	/** The configuration whose tasks these are. */
	configurationId: number;
	/**
	 * Every task that was emitted or passed over, by its id: 0 while the service lists it, else since
	 * when it does not, in milliseconds since 1970.
	 */
	missingSinceMs: Record<string, number>;
}

/** A task that left the list of the last 7 days for so long does not come back. */
const FORGOTTEN_AFTER_MS = RETENTION_DAYS * 86_400_000;

/** The tasks that a poll finds for the first time, and what to remember when they are emitted. */
export interface Findings {
	/** Oldest first. */
	readonly tasks: readonly CompletedTask[];
	readonly seen: SeenTasks;
}

/**
 * Tells new tasks from those seen before. Only ids count: several tasks may carry the same time, pages
 * may come in another order, and a task may be missing from one answer and be back in the next.
 *
 * A listed task whose status says that it is still under work waits for a later poll.
 *
 * @param listed the service's answer, spec endpoint 10
 * @param seen what was kept by the last poll; undefined at the first of this configuration
 * @param most how many new tasks to take at once; the others are new again at the next poll
 */
export function findNewTasks(
	listed: readonly CompletedTask[],
	seen: SeenTasks,
	nowMs: number,
	most = Infinity,
): Findings {
	const known = new Map(Object.entries(seen.missingSinceMs));
	const finished = listed.filter(({ id, status }) => id !== '' && isFinished(status));
	const listedIds = new Set(finished.map(({ id }) => id));
	const unseen = new Map(
		finished.filter(({ id }) => !known.has(id)).map((task) => [task.id, task] as const),
	);
	// The list is newest first; what happened first is told first.
	const tasks = [...unseen.values()].reverse().slice(0, most);
	const kept = [...known].flatMap(([id, missingSinceMs]): [string, number][] => {
		if (listedIds.has(id)) return [[id, 0]];
		const sinceMs = missingSinceMs === 0 ? nowMs : missingSinceMs;
		return nowMs - sinceMs > FORGOTTEN_AFTER_MS ? [] : [[id, sinceMs]];
	});
	const added = tasks.map(({ id }): [string, number] => [id, 0]);
	const missingSinceMs = Object.fromEntries([...kept, ...added]);
	return { tasks, seen: { ...seen, missingSinceMs } };
}

/** A completed task's status is final, or one that nobody knows; never one of work under way. */
export function isFinished(status: string): boolean {
	return isFinalStatus(status) || !isKnownStatus(status.trim().toUpperCase());
}
