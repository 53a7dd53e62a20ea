import { messageOf } from '../shared/failures.mts';
import type { Workbench } from './workbench.mts';

/** Time between two sweeps on the service's clock. */
const SWEEP_INTERVAL_MS = 3_600_000;

/**
 * Deletes what is older than the retention, spec "Limits": edits and their files, counted from the
 * edit's end; uploads, counted from their arrival or the end of their last edit. It goes by the
 * folder's age, so setting the machine's clock deletes nothing.
 * Afterwards such an edit is unknown. Folders that no row knows (a process was killed while
 * deleting) go too.
 */
export async function sweep(workbench: Workbench, retentionMs: number): Promise<void> {
	const { store, uploads, files, folderAge } = workbench;
	const { ageMs } = workbench.clock.moment();
	folderAge.keep(ageMs);
	// Uploads first: the question when their last edit ended needs the edits' rows.
	const oldUploads = uploads.removeUnusedSince(ageMs - retentionMs);
	const oldJobs = store.idsFinishedBefore(ageMs - retentionMs);
	if (oldJobs.length > 0) store.remove(oldJobs);
	if (oldJobs.length + oldUploads > 0) {
		workbench.log(`retention: ${oldJobs.length} edits and ${oldUploads} uploads deleted`);
	}
	await removeUnknown(
		await files.jobFolderIds(),
		() => store.ids(),
		(id) => files.removeJob(id),
	);
	await removeUnknown(
		await files.uploadFolderIds(),
		() => uploads.ids(),
		(id) => files.removeUpload(id),
	);
}

/** Removes the folders without a row. Rows are read after the folders: a row comes before its folder. */
async function removeUnknown(
	folderIds: string[],
	readKnownIds: () => Set<string>,
	remove: (id: string) => Promise<void>,
): Promise<void> {
	const knownIds = readKnownIds();
	for (const id of folderIds) if (!knownIds.has(id)) await remove(id);
}

/** Sweeps now and every hour of service time until the signal aborts. Never throws. */
export async function keepSweeping(
	workbench: Workbench,
	retentionMs: number,
	signal: AbortSignal,
): Promise<void> {
	while (!signal.aborted) {
		try {
			await sweep(workbench, retentionMs);
		} catch (error) {
			workbench.log(`retention: ${messageOf(error)}`);
		}
		// Rejects only when aborted, which the loop's condition sees.
		await workbench.clock.sleep(SWEEP_INTERVAL_MS, signal).catch(() => undefined);
	}
}
