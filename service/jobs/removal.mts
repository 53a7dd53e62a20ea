import { uploadIdsOf, type Job } from './job.mts';
import type { JobQueue } from './queue.mts';
import type { JobRoom } from './run.mts';

/**
 * Deletes an edit permanently: its row at once, its work if it is running, its files and the uploads
 * it was made of, spec "Delete an edit" ("its source and processed files").
 *
 * An upload that another edit of the key names stays, whether that edit has ended or not: "one
 * uploaded file URL may be used in several edit requests" (spec "Client flows" 5). It goes with the
 * last of its edits that is deleted, or with its retention.
 */
export async function deleteEdit(job: Job, room: JobRoom, queue: JobQueue): Promise<void> {
	room.store.remove([job.id]);
	await queue.stop(job.id);
	await room.files.removeJob(job.id);
	for (const uploadId of uploadIdsOf(job)) {
		const upload = room.uploads.find(uploadId);
		if (upload?.ownerId === job.ownerId && !room.uploads.isNamed(uploadId)) {
			room.uploads.remove(uploadId);
			await room.files.removeUpload(uploadId);
		}
	}
	room.log(`edit ${job.id} deleted`);
}
