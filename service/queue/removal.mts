import { isDiskFull } from '../shared/failures.mts';
import type { StoredEdit } from '../store/edit.mts';
import type { EditQueue } from './queue.mts';
import { removeEditFiles, removeUploadFiles } from '../work/fileRemoval.mts';
import type { Workbench } from '../work/workbench.mts';

/** Removes the rows. On a full disk, the edit's files first make room for that. */
async function removeRows(edit: StoredEdit, workbench: Workbench, queue: EditQueue) {
	try {
		return await workbench.uploads.removeWithEdit(edit);
	} catch (trouble) {
		if (!isDiskFull(trouble)) throw trouble;
		await queue.stop(edit.id);
		await removeEditFiles(edit.id, workbench);
		return await workbench.uploads.removeWithEdit(edit);
	}
}

/**
 * Deletes an edit permanently: removes its row and its uploads' rows, stops its work, then removes the
 * files, spec "Delete an edit" ("its source and processed files").
 *
 * Keeps an upload that another edit of the same key names, even a finished one: "one uploaded file
 * URL may be used in several edit requests" (spec "Client flows" 5). Deleting the last such edit, or
 * the retention, removes it.
 */
export async function deleteEdit(
	edit: StoredEdit,
	workbench: Workbench,
	queue: EditQueue,
): Promise<void> {
	const uploadIds = await removeRows(edit, workbench, queue);
	await queue.stop(edit.id);
	await removeEditFiles(edit.id, workbench);
	for (const uploadId of uploadIds) await removeUploadFiles(uploadId, workbench);
	workbench.log(`edit ${edit.id} deleted`);
}
