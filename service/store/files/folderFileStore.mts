import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, isDiskFull } from '../../shared/failures.mts';
import { linkOrCopy } from '../../shared/linkOrCopy.mts';
import { TooLarge } from '../../shared/sizeLimit.mts';
import { PUBLISHED_IN_FOLDER } from '../edit.mts';
import type {
	CopyLimits,
	FilePlace,
	FileStore,
	Owners,
	RunName,
	UploadName,
} from './fileStore.mts';
import { BEGINNING, removeFolder, TOMBSTONE, type RunFolders, type Scratch } from './scratch.mts';

/** The folder of what a review needs. */
const KEPT_IN_FOLDER = 'review';

/**
 * Keeps uploads and results in the storage folder, next to the scratch files:
 *
 * - `uploads/<id>/file`    complete uploads
 * - `edits/<id>/result/`   an edit's result; its sources stay as long (api.md#retention)
 * - `edits/<id>/review/`   what a review needs, as long as the result
 *
 * An edit has one result folder. A new run begins by removing it, and replaces it when it publishes.
 */
export class FolderFileStore implements FileStore {
	readonly isOnThisDisk = true;
	private readonly uploads: string;

	private constructor(private readonly scratch: Scratch) {
		this.uploads = join(scratch.folder, 'uploads');
	}

	/** Creates missing folders. */
	static async open(scratch: Scratch): Promise<FolderFileStore> {
		const store = new FolderFileStore(scratch);
		await mkdir(store.uploads, { recursive: true, mode: 0o700 });
		return store;
	}

	get name(): string {
		return this.scratch.folder;
	}

	uploadUrl(): Promise<undefined> {
		return Promise.resolve(undefined);
	}

	/** The file survives a power cut. */
	async keepUpload(incomingPath: string, { id }: UploadName): Promise<void> {
		await mkdir(join(this.uploads, id), { recursive: true, mode: 0o700 });
		await toDisk(incomingPath);
		await rename(incomingPath, this.uploadPath(id));
		await toDisk(join(this.uploads, id));
		await toDisk(this.uploads);
	}

	/**
	 * Links the file, so that replacing or deleting the upload does not disturb a running edit. Copies it
	 * where hard links are not supported.
	 */
	async copyUpload({ id }: UploadName, path: string, limits: CopyLimits) {
		return await copyFile(this.uploadPath(id), path, limits);
	}

	uploadPlace({ id }: UploadName): Promise<FilePlace> {
		return Promise.resolve({ path: this.uploadPath(id) });
	}

	async removeUpload(uploadId: string): Promise<void> {
		await removeFolder(join(this.uploads, uploadId));
	}

	async uploadIds(): Promise<string[]> {
		return await readdir(this.uploads);
	}

	/** The result survives a power cut. It replaces the draft of a review, which nobody can have yet. */
	async keepResult(editId: string, folders: RunFolders): Promise<string> {
		const name = { editId, run: PUBLISHED_IN_FOLDER };
		if (folders.replacesDraft) await rm(this.runFolder(name), { recursive: true, force: true });
		return await this.publish(folders.unfinishedResult, name);
	}

	async keepReview(editId: string, { unfinishedReview }: RunFolders): Promise<string> {
		return await this.publish(unfinishedReview, { editId, run: KEPT_IN_FOLDER });
	}

	/** Links the files, so that they take no more room. They survive a power cut as those of a review do. */
	async keepBeginning(editId: string, folder: string, fileNames: readonly string[]): Promise<void> {
		const place = this.runFolder({ editId, run: BEGINNING });
		await rm(place, { recursive: true, force: true });
		await mkdir(place, { mode: 0o700 });
		for (const name of fileNames) {
			await linkOrCopy(join(folder, name), join(place, name));
			await toDisk(join(place, name));
		}
		await toDisk(place);
		await toDisk(this.scratch.editFolder(editId));
	}

	async copyResult(run: RunName, fileName: string, path: string, limits: CopyLimits) {
		return await copyFile(join(this.runFolder(run), fileName), path, limits);
	}

	async writeResult(run: RunName, fileName: string, text: string): Promise<void> {
		const path = join(this.runFolder(run), fileName);
		await writeFile(path, text);
		await toDisk(path);
		await toDisk(this.runFolder(run));
	}

	async readResult(run: RunName, fileName: string): Promise<string | undefined> {
		try {
			return await readFile(join(this.runFolder(run), fileName), 'utf8');
		} catch (error) {
			if (codeOf(error) === 'ENOENT') return undefined;
			throw error;
		}
	}

	resultPlace(run: RunName, fileName: string): Promise<FilePlace> {
		return Promise.resolve({ path: join(this.runFolder(run), fileName) });
	}

	/** Keeps the sources: the page plays them. */
	async endRun(editId: string, run: string): Promise<void> {
		await this.scratch.removeWork(editId, run);
	}

	/** Leaves a result: if another run took the edit over, it is that run's. */
	async removeRun(name: RunName): Promise<void> {
		if (name.run === BEGINNING) await rm(this.runFolder(name), { recursive: true, force: true });
	}

	async removeEdit(editId: string): Promise<void> {
		await this.scratch.removeEdit(editId);
	}

	async editIds(): Promise<string[]> {
		return await this.scratch.editIds();
	}

	/** The mark is a file in the folder. It survives a power cut, unless the disk is full. */
	async bury(kind: Owners, id: string): Promise<void> {
		try {
			await writeFile(this.tombstonePath(kind, id), '', { mode: 0o600, flush: true });
		} catch (error) {
			if (codeOf(error) !== 'ENOENT' && !isDiskFull(error)) throw error;
		}
	}

	async unbury(kind: Owners, id: string): Promise<void> {
		await rm(this.tombstonePath(kind, id), { force: true });
	}

	buriedAmong(kind: Owners, ids: readonly string[]): Promise<Set<string>> {
		const isBuried = (id: string) => existsSync(this.tombstonePath(kind, id));
		return Promise.resolve(new Set(ids.filter(isBuried)));
	}

	/** A folder belongs to the service that was started on it. */
	async isOwnPlace(): Promise<boolean> {
		return await Promise.resolve(true);
	}

	close(): void {
		// There are no connections.
	}

	/** Moves a folder to its place. Returns the name of the run. */
	private async publish(folder: string, name: RunName): Promise<string> {
		for (const fileName of await readdir(folder)) await toDisk(join(folder, fileName));
		await toDisk(folder);
		await rename(folder, this.runFolder(name));
		await toDisk(this.scratch.editFolder(name.editId));
		await toDisk(this.scratch.editsFolder);
		return name.run;
	}

	private tombstonePath(kind: Owners, id: string): string {
		const folder = kind === 'edits' ? this.scratch.editsFolder : this.uploads;
		return join(folder, id, TOMBSTONE);
	}

	private uploadPath(uploadId: string): string {
		return join(this.uploads, uploadId, 'file');
	}

	private runFolder({ editId, run }: RunName): string {
		return join(this.scratch.editFolder(editId), run);
	}
}

/** Links a file to a path, or copies it. Returns its size, or undefined if there is no such file. */
async function copyFile(from: string, path: string, { allowance }: CopyLimits) {
	try {
		const { size } = await stat(from);
		if (size > allowance.bytes) throw new TooLarge(allowance.refusal);
		await linkOrCopy(from, path);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw error;
	}
	return (await stat(path)).size;
}

/**
 * Flushes a file, or the names in a folder, to disk, so that it survives a power cut. Windows flushes
 * folders by itself and cannot open them.
 */
async function toDisk(path: string): Promise<void> {
	const isFolder = (await stat(path)).isDirectory();
	if (isFolder && process.platform === 'win32') return;
	await using handle = await open(path, isFolder ? 'r' : 'r+');
	await handle.sync();
}
