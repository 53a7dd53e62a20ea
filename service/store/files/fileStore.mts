import type { Allowance } from '../../shared/sizeLimit.mts';
import type { RunFolders } from './scratch.mts';
import type { StoredUpload } from '../uploadStore.mts';

/** Which upload is meant. */
export type UploadName = Pick<StoredUpload, 'id' | 'fileName'>;

/** The run of an edit whose result files are meant. */
export interface RunName {
	editId: string;
	/** Stored in the edit's outcome. */
	run: string;
}

/** Where a client gets a file: from this service, or from the object storage at a signed URL. */
export type FilePlace = { path: string } | { url: string };

/** Returns the name of the object storage that keeps the files; null if they are in a folder. */
export function objectStorageOf({ name, isOnThisDisk, remoteOrigin }: FileStore): string | null {
	return isOnThisDisk ? null : `${name} at ${remoteOrigin}`;
}

/** What has files: each kind has a folder with a folder for each id. */
export type Owners = 'edits' | 'uploads';

/** The limits of `takeUpload`. */
export interface CopyLimits {
	/** Checked before the first byte is transferred. */
	allowance: Allowance;
	signal: AbortSignal;
}

/**
 * Keeps uploads and results, in the storage folder or in object storage.
 *
 * Link lifetimes are in real milliseconds. Methods that use object storage throw TransientTrouble
 * when it does not answer as expected.
 */
export interface FileStore {
	/** For the greeting, without secrets. */
	readonly name: string;
	readonly isOnThisDisk: boolean;
	/** The origin of the object storage's URLs, where there is one. */
	readonly remoteOrigin?: string;

	/** Returns the URL to which a client PUTs a file; undefined if this service receives it. */
	uploadUrl(upload: UploadName, lifetimeMs: number): Promise<string | undefined>;
	/** Moves a complete file to its upload's place, replacing an earlier one. */
	keepUpload(incomingPath: string, upload: UploadName): Promise<void>;
	/**
	 * Copies or links an upload to a path on this disk. Returns its size in bytes, or undefined if no file arrived.
	 * @throws TooLarge above the limit.
	 */
	copyUpload(upload: UploadName, path: string, limits: CopyLimits): Promise<number | undefined>;
	/** Returns where a client gets an uploaded file, whether or not it has arrived. */
	uploadPlace(upload: UploadName, lifetimeMs: number): Promise<FilePlace>;
	removeUpload(uploadId: string): Promise<void>;
	/** Returns the ids of uploads that have files. */
	uploadIds(): Promise<string[]>;

	/**
	 * Publishes the files of a run and returns its name. No client sees them before the edit's outcome
	 * names the run.
	 */
	keepResult(editId: string, folders: RunFolders, signal: AbortSignal): Promise<string>;
	/** Publishes what a review needs, and returns the name of that run. */
	keepReview(editId: string, folders: RunFolders, signal: AbortSignal): Promise<string>;
	/**
	 * Keeps what a changed edit begins with, as its run BEGINNING, while its original may be deleted. It is complete
	 * once its last file can be read.
	 * @param fileNames in a folder on this disk, in the order in which they are kept.
	 */
	keepBeginning(
		editId: string,
		folder: string,
		fileNames: readonly string[],
		signal: AbortSignal,
	): Promise<void>;
	/**
	 * Copies or links a published file to a path on this disk. Returns its size in bytes, or undefined if
	 * there is no such file.
	 */
	copyResult(
		run: RunName,
		fileName: string,
		path: string,
		limits: CopyLimits,
	): Promise<number | undefined>;
	/** Adds a text to the published files of a run. */
	writeResult(run: RunName, fileName: string, text: string): Promise<void>;
	/** Returns the text of a result file; undefined if the run has no such file. */
	readResult(run: RunName, fileName: string): Promise<string | undefined>;
	/** Returns where a client gets a result file. */
	resultPlace(run: RunName, fileName: string, lifetimeMs: number): Promise<FilePlace>;
	/** Removes what a finished edit no longer needs on this disk, but no published files. */
	endRun(editId: string, run: string): Promise<void>;
	/** Removes the published files of one run that does not count. */
	removeRun(run: RunName): Promise<void>;
	/** Removes all files of an edit, on this disk too, except its uploads. */
	removeEdit(editId: string): Promise<void>;
	/** Returns the ids of edits that have files. */
	editIds(): Promise<string[]>;

	/**
	 * Marks the files of an edit or upload as deleted, before its row is: what lacks a row and the mark may be there
	 * because the database lost the row. Does nothing where there are no files.
	 */
	bury(kind: Owners, id: string): Promise<void>;
	/** Takes the mark away, because the row could not be deleted. */
	unbury(kind: Owners, id: string): Promise<void>;
	/** Returns those of the ids that are marked as deleted. */
	buriedAmong(kind: Owners, ids: readonly string[]): Promise<Set<string>>;

	/**
	 * Whether this service owns the place and may remove files without a row: another service there
	 * would lose its files. The first service that asks becomes the owner.
	 * @param serviceName the same for all processes of a service.
	 */
	isOwnPlace(serviceName: string): Promise<boolean>;

	/** Closes the connections to object storage. */
	close(): void;
}
