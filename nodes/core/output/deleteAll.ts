import { systemTime } from '../../../api/time';
import { paceOf } from '../../../waiting/rateLimit';
import type { NodeRun } from '../run/nodeRun';
import type { Service } from '../run/service';
import { inLines } from '../texts';
import { noteDeletion, noteNoDeletion } from '../skip/deletedEdits';

const DELETIONS_AT_ONCE = 8;

/**
 * Deletes edits at the pace of status calls, at least one. Logs each deleted edit.
 *
 * @param words what the log says of a deleted edit, and of the edits that could not be deleted
 */
export async function deleteAll(
	run: NodeRun,
	{ client, rateLimits, root }: Service,
	editIds: readonly string[],
	words: { readonly done: string; readonly left: string },
): Promise<void> {
	const { logger } = run.context;
	const waiting = [...editIds];
	const left: string[] = [];
	const said: string[] = [];
	await noteDeletion(run, root, editIds);
	const pace = paceOf(rateLimits.statusCalls, systemTime);
	const work = async () => {
		for (let editId = waiting.shift(); editId !== undefined; editId = waiting.shift()) {
			const outcome = await client.deleteEdit(editId, pace);
			if (outcome.ok) {
				logger.info(`Audio editing: edit ${run.labelOf(editId)} ${words.done}`, { editId });
				continue;
			}
			left.push(editId);
			said.push(run.labelOf(editId, String(outcome.failure.status ?? outcome.failure.kind)));
		}
	};
	await Promise.all(Array.from({ length: DELETIONS_AT_ONCE }, work));
	await noteNoDeletion(run, root, left);
	for (const line of inLines(said)) logger.warn(`Audio editing: ${words.left}: ${line}`);
}
