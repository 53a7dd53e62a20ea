import { isDiskFull } from '../shared/failures.mts';
import { uploadIdsOf, type StoredEdit } from '../store/edit.mts';
import type { EditQueue } from './queue.mts';
import { onFullDisk, removeEditFiles, removeUploadFiles } from '../work/fileRemoval.mts';
import type { StorageTools } from '../work/editTools.mts';

/**
 * Deletes an edit permanently: removes its row and its uploads' rows, stops its work, then removes the
 * files (api.md#delete-an-edit).
 *
 * Keeps an upload that another edit of the same key names, even a finished one: one file URL can
 * be used in several edits (api.md#upload). Deleting the last such edit, or
 * the retention, removes it.
 */
export async function deleteEdit(
	edit: StoredEdit,
	tools: StorageTools,
	queue: EditQueue,
): Promise<void> {
	try {
		await remove(edit, tools, queue);
	} catch (trouble) {
		if (!isDiskFull(trouble)) throw trouble;
		await queue.stop(edit.id);
		try {
			await onFullDisk(tools, async () => {
				await removeEditFiles(edit.id, tools);
				await remove(edit, tools, queue);
			});
		} catch (error) {
			// The edit stays, so it begins again if it had not ended.
			if (edit.finishedAtMs === null) queue.add(edit.id, edit.ownerId);
			throw error;
		}
	}
	tools.log(`edit ${edit.id} deleted`);
}

async function remove(edit: StoredEdit, tools: StorageTools, queue: EditQueue): Promise<void> {
	const uploadIds = await removeRows(edit, tools);
	await queue.stop(edit.id);
	await removeEditFiles(edit.id, tools);
	for (const uploadId of uploadIds) await removeUploadFiles(uploadId, tools);
}

/** Removes the rows of an edit and its uploads. Its files are marked as deleted before, as `FileStore.bury` says. */
async function removeRows(edit: StoredEdit, { files, scratch, uploads }: StorageTools) {
	const candidates = uploadIdsOf(edit);
	const bury = async () => {
		await files.bury('edits', edit.id);
		for (const id of candidates) await files.bury('uploads', id);
	};
	const unbury = async (ids: readonly string[]) => {
		for (const id of ids) await files.unbury('uploads', id);
	};
	await bury();
	try {
		const removed = await uploads.removeWithEdit(edit);
		await unbury(candidates.filter((id) => !removed.includes(id)));
		await scratch.removeMail(edit.id);
		return removed;
	} catch (error) {
		await files.unbury('edits', edit.id);
		await unbury(candidates);
		throw error;
	}
}
