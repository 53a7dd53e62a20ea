import type { S3Place } from '../../shared/settings.mts';
import type { FileStore } from './fileStore.mts';
import { FolderFileStore } from './folderFileStore.mts';
import { Scratch } from './scratch.mts';

/**
 * Opens the storage folder, and the object storage if there is one.
 *
 * The AWS SDK is imported on demand: without `--files s3://…` it is never loaded.
 */
export async function openFiles(
	storageFolder: string,
	place: S3Place | undefined,
	nowMs: () => number = Date.now,
): Promise<{ scratch: Scratch; files: FileStore }> {
	// Separate from `edits/`, which may hold the results of earlier starts without `--files`.
	const scratch = new Scratch(storageFolder, place === undefined ? 'edits' : 'scratch');
	await scratch.prepare();
	if (place === undefined) return { scratch, files: await FolderFileStore.open(scratch) };
	const { S3FileStore } = await import('./s3FileStore.mts');
	return { scratch, files: await S3FileStore.open(scratch, place, nowMs) };
}

/** Where a process keeps files. */
export type OpenFiles = Awaited<ReturnType<typeof openFiles>>;
