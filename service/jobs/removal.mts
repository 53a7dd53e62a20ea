import { uploadIdsOf, type Job } from './job.mts';
import type { JobQueue } from './queue.mts';
import type { JobRoom } from './run.mts';

/**
 * Deletes an edit for good: its row at once, its work if it is running, its files and the uploads
 * it was made of, spec "Delete an edit".
 *
 * An upload that another unfinished edit still reads stays for that edit (spec "Client flows" 5
 * lets one upload serve several) and goes with it, or when its retention ends.
 */
export async function deleteEdit(job: Job, room: JobRoom, queue: JobQueue): Promise<void> {
	room.store.remove(job.id);
	await queue.stop(job.id);
	await room.files.removeJob(job.id);
	for (const uploadId of uploadIdsOf(job)) {
		const upload = room.uploads.find(uploadId);
		if (upload?.ownerId === job.ownerId && !room.uploads.isNeeded(uploadId)) {
			room.uploads.remove(uploadId);
			await room.files.removeUpload(uploadId);
		}
	}
	room.log(`edit ${job.id} deleted`);
}
