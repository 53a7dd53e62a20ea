import { messageOf } from '../shared/failures.mts';
import type { Workbench } from './workbench.mts';

/** Service milliseconds between two sweeps. */
const SWEEP_INTERVAL_MS = 3_600_000;

/**
 * Deletes what is older than the retention, spec "Limits": edits and their files, counted from the
 * edit's end; uploads, counted from their arrival or the end of their last edit. Also deletes folders
 * without a row, which a process leaves when it is killed while deleting.
 *
 * Ages are folder ages, so changing the machine's clock deletes nothing.
 */
export async function sweep(workbench: Workbench, retentionMs: number): Promise<void> {
	const { store, uploads, files, folderAge } = workbench;
	const { ageMs } = workbench.clock.moment();
	folderAge.keep(ageMs);
	// Uploads first: finding out when their last edit ended needs the edits' rows.
	const oldUploads = uploads.removeUnusedSince(ageMs - retentionMs);
	const oldEdits = store.idsFinishedBefore(ageMs - retentionMs);
	if (oldEdits.length > 0) store.remove(oldEdits);
	if (oldEdits.length + oldUploads > 0) {
		workbench.log(`retention: ${oldEdits.length} edits and ${oldUploads} uploads deleted`);
	}
	await removeUnknown(
		await files.editFolderIds(),
		() => store.ids(),
		(id) => files.removeEdit(id),
	);
	await removeUnknown(
		await files.uploadFolderIds(),
		() => uploads.ids(),
		(id) => files.removeUpload(id),
	);
}

/** Removes folders without a row. Reads the rows last, because a row is written before its folder. */
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
		// Rejects only on abort, which ends the loop.
		await workbench.clock.sleep(SWEEP_INTERVAL_MS, signal).catch(() => undefined);
	}
}
