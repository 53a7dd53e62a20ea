import type { ServiceContext } from './context.mts';
import type { NewEdit } from '../store/editStore.mts';
import { fullQueue } from './protocol/limits.mts';

/**
 * Stores an edit, and queues it.
 *
 * @param more what else the log says of it.
 * @throws HttpProblem (429) if the queue of its key is full.
 */
export async function queueEdit(
	edit: NewEdit,
	{ tools, queue, settings: { maxQueuedEdits } }: ServiceContext,
	more = '',
): Promise<void> {
	if (!(await tools.store.add(edit, maxQueuedEdits))) throw fullQueue(maxQueuedEdits);
	tools.log(`edit ${edit.id} PENDING${more}`);
	queue.add(edit.id, edit.ownerId);
}
