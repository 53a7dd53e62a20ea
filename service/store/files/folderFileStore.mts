import {
	constants,
	copyFile,
	link,
	mkdir,
	open,
	readdir,
	readFile,
	rename,
	rm,
	stat,
} from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '../../shared/failures.mts';
import { TooLarge } from '../../shared/sizeLimit.mts';
import { PUBLISHED_IN_FOLDER } from '../edit.mts';
import type { FilePlace, FileStore, RunName, TakeLimits, UploadName } from './fileStore.mts';
import type { RunFolders, Scratch } from './scratch.mts';

/**
 * Keeps uploads and results in the storage folder, next to the scratch files:
 *
 * - `uploads/<id>/file`    complete uploads
 * - `edits/<id>/result/`   an edit's result; its sources stay as long (api.md#retention)
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
	async takeUpload({ id }: UploadName, path: string, { allowance }: TakeLimits) {
		const uploadPath = this.uploadPath(id);
		try {
			const { size } = await stat(uploadPath);
			if (size > allowance.bytes) throw new TooLarge(allowance.refusal);
			await link(uploadPath, path);
		} catch (error) {
			if (codeOf(error) === 'ENOENT') return undefined;
			if (error instanceof TooLarge) throw error;
			await copyFile(uploadPath, path, constants.COPYFILE_FICLONE);
		}
		return (await stat(path)).size;
	}

	uploadPlace({ id }: UploadName): Promise<FilePlace> {
		return Promise.resolve({ path: this.uploadPath(id) });
	}

	async removeUpload(uploadId: string): Promise<void> {
		await rm(join(this.uploads, uploadId), { recursive: true, force: true });
	}

	async uploadIds(): Promise<string[]> {
		return await readdir(this.uploads);
	}

	/** The result survives a power cut. */
	async keepResult(editId: string, { unfinishedResult }: RunFolders): Promise<string> {
		for (const name of await readdir(unfinishedResult)) {
			await toDisk(join(unfinishedResult, name));
		}
		await toDisk(unfinishedResult);
		const editFolder = this.scratch.editFolder(editId);
		await rename(unfinishedResult, this.runFolder({ editId, run: PUBLISHED_IN_FOLDER }));
		await toDisk(editFolder);
		await toDisk(this.scratch.editsFolder);
		return PUBLISHED_IN_FOLDER;
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

	/** Does nothing: if another run took the edit over, the result folder is that run's. */
	removeRun(): Promise<void> {
		return Promise.resolve();
	}

	async removeEdit(editId: string): Promise<void> {
		await this.scratch.removeEdit(editId);
	}

	async editIds(): Promise<string[]> {
		return await this.scratch.editIds();
	}

	/** A folder belongs to the service that was started on it. */
	async isOwnPlace(): Promise<boolean> {
		return await Promise.resolve(true);
	}

	close(): void {
		// There are no connections.
	}

	private uploadPath(uploadId: string): string {
		return join(this.uploads, uploadId, 'file');
	}

	private runFolder({ editId, run }: RunName): string {
		return join(this.scratch.editFolder(editId), run);
	}
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
