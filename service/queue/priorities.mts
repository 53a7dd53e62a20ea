import type { StoredEdit } from '../store/edit.mts';

/** BullMQ refuses more. */
const MAX_PRIORITY = 2 ** 21 - 1;

/** An edit for the Redis queue, which hands out the lowest priority first, and equal ones in order. */
export interface QueuedEdit {
	readonly id: string;
	/** How many edits of its key come before it. */
	readonly priority: number;
}

/**
 * Returns the edits that nobody works on, each with the number of its key's edits before it: a key with
 * many edits does not hold up one with few.
 * @param unfinished in order; those that are worked on come before all others of their key.
 */
export function queuedOf(
	unfinished: ReadonlyArray<Pick<StoredEdit, 'id' | 'ownerId'>>,
	atWork: ReadonlySet<string>,
): QueuedEdit[] {
	const counts = new Map<string, number>();
	const next = (ownerId: string): number => {
		const count = counts.get(ownerId) ?? 0;
		counts.set(ownerId, count + 1);
		return count;
	};
	for (const { id, ownerId } of unfinished) if (atWork.has(id)) next(ownerId);
	const waiting = unfinished.filter(({ id }) => !atWork.has(id));
	return waiting.map(({ id, ownerId }) => ({
		id,
		priority: Math.min(next(ownerId), MAX_PRIORITY),
	}));
}
