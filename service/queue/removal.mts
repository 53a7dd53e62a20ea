import { uploadIdsOf, type StoredEdit } from '../store/edit.mts';
import type { EditQueue } from './queue.mts';
import type { Workbench } from '../work/workbench.mts';

/**
 * Deletes an edit permanently: its row at once, its work if it is running, its files and the uploads
 * it was made of, spec "Delete an edit" ("its source and processed files").
 *
 * An upload that another edit of the key names stays, whether that edit has ended or not: "one
 * uploaded file URL may be used in several edit requests" (spec "Client flows" 5). It goes with the
 * last of its edits that is deleted, or with its retention.
 */
export async function deleteEdit(
	job: StoredEdit,
	workbench: Workbench,
	queue: EditQueue,
): Promise<void> {
	workbench.store.remove([job.id]);
	await queue.stop(job.id);
	await workbench.files.removeJob(job.id);
	for (const uploadId of uploadIdsOf(job)) {
		const upload = workbench.uploads.find(uploadId);
		if (upload?.ownerId === job.ownerId && !workbench.uploads.isNamed(uploadId)) {
			workbench.uploads.remove(uploadId);
			await workbench.files.removeUpload(uploadId);
		}
	}
	workbench.log(`edit ${job.id} deleted`);
}
