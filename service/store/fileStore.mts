import { randomUUID } from 'node:crypto';
import {
	link,
	constants,
	copyFile,
	mkdir,
	open,
	readdir,
	rename,
	rm,
	stat,
} from 'node:fs/promises';
import { join } from 'node:path';

import { extensionOf } from '../shared/fileNames.mts';

/**
 * The folders of one run of an edit. Each run has its own: a stalled process that resumes may still
 * write before it notices that another one took the edit over.
 */
export interface RunFolders {
	readonly work: string;
	/** Where the engine writes. Renamed to the result folder once complete. */
	readonly unfinishedResult: string;
}

/**
 * The layout of the storage folder:
 *
 * - `service.sqlite`, `secrets.json`, `front.lock`
 * - `incoming/`            files still arriving; emptied at every start
 * - `outbox/<id>.eml`      e-mails of edits with `send_email`, without an SMTP server
 * - `uploads/<id>/file`    complete uploads
 * - `jobs/<id>/`           an edit's `source-<track>.<ext>`, `work/<run>/` and `result/`
 */
export class FileStore {
	constructor(readonly folder: string) {}

	get databasePath(): string {
		return join(this.folder, 'service.sqlite');
	}

	/** Locked by the process that answers requests, when workers share the folder. */
	get frontLockPath(): string {
		return join(this.folder, 'front.lock');
	}

	get outboxFolder(): string {
		return join(this.folder, 'outbox');
	}

	uploadPath(uploadId: string): string {
		return join(this.folder, 'uploads', uploadId, 'file');
	}

	editFolder(editId: string): string {
		return join(this.folder, 'jobs', editId);
	}

	/** Path of a source; tracks count from 0. Keeps the extension, which helps to recognise the format. */
	sourcePath(editId: string, track: number, sourceName: string): string {
		return join(this.editFolder(editId), `source-${track + 1}${extensionOf(sourceName)}`);
	}

	resultPath(editId: string, fileName: string): string {
		return join(this.editFolder(editId), 'result', fileName);
	}

	/** Empties `incoming/` of what an earlier process did not finish receiving. */
	async emptyIncoming(): Promise<void> {
		await rm(join(this.folder, 'incoming'), { recursive: true, force: true });
	}

	/** Creates missing folders. */
	async prepare(): Promise<void> {
		for (const name of ['incoming', 'uploads', 'jobs']) {
			await mkdir(join(this.folder, name), { recursive: true, mode: 0o700 });
		}
	}

	/** Returns a new path for an arriving file. */
	incomingPath(): string {
		return join(this.folder, 'incoming', randomUUID());
	}

	/** Moves a complete file to its upload's place, replacing an earlier one. It survives a power cut. */
	async keepUpload(incomingPath: string, uploadId: string): Promise<void> {
		const uploads = join(this.folder, 'uploads');
		await mkdir(join(uploads, uploadId), { recursive: true, mode: 0o700 });
		await fileToDisk(incomingPath);
		await rename(incomingPath, this.uploadPath(uploadId));
		await folderToDisk(join(uploads, uploadId));
		await folderToDisk(uploads);
	}

	/** Creates an empty folder for an edit, with the folders of one run. */
	async startEditFolder(editId: string): Promise<RunFolders> {
		await this.removeEdit(editId);
		const run = join(this.editFolder(editId), 'work', randomUUID());
		const folders = { work: join(run, 'work'), unfinishedResult: join(run, 'result') };
		for (const path of Object.values(folders)) await mkdir(path, { recursive: true, mode: 0o700 });
		return folders;
	}

	/**
	 * Links an uploaded file into an edit's folder, so that replacing or deleting the upload does not
	 * disturb a running edit. Copies the file where hard links are not supported.
	 */
	async takeUpload(uploadId: string, sourcePath: string): Promise<void> {
		const uploadPath = this.uploadPath(uploadId);
		try {
			await link(uploadPath, sourcePath);
		} catch (error) {
			if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw error;
			await copyFile(uploadPath, sourcePath, constants.COPYFILE_FICLONE);
		}
	}

	/** Makes the engine's output the edit's result. It survives a power cut. */
	async keepResult(editId: string, { unfinishedResult }: RunFolders): Promise<void> {
		for (const name of await readdir(unfinishedResult)) {
			await fileToDisk(join(unfinishedResult, name));
		}
		await folderToDisk(unfinishedResult);
		await rename(unfinishedResult, join(this.editFolder(editId), 'result'));
		await folderToDisk(this.editFolder(editId));
		await folderToDisk(join(this.folder, 'jobs'));
	}

	/**
	 * Returns the bytes of an edit's results and fetched sources.
	 * @param uploadedTracks tracks that are links to uploads, which count as uploads.
	 */
	async bytesOf(editId: string, uploadedTracks: readonly number[]): Promise<number> {
		const folder = this.editFolder(editId);
		const sources = (await readdir(folder)).filter((name) => {
			const track = Number(/^source-(\d+)/.exec(name)?.[1] ?? 0) - 1;
			return track >= 0 && !uploadedTracks.includes(track);
		});
		const results = await readdir(join(folder, 'result'));
		const paths = [...sources, ...results.map((name) => join('result', name))];
		const sizes = await Promise.all(
			paths.map(async (path) => (await stat(join(folder, path))).size),
		);
		return sizes.reduce((sum, size) => sum + size, 0);
	}

	/**
	 * Removes the working files of all runs. The sources stay as long as the result, spec "Retention".
	 */
	async removeWork(editId: string): Promise<void> {
		await rm(join(this.editFolder(editId), 'work'), { recursive: true, force: true });
	}

	async removeEdit(editId: string): Promise<void> {
		await rm(this.editFolder(editId), { recursive: true, force: true });
	}

	async removeUpload(uploadId: string): Promise<void> {
		await rm(join(this.folder, 'uploads', uploadId), { recursive: true, force: true });
	}

	/** Returns the ids of edits that have a folder. */
	async editFolderIds(): Promise<string[]> {
		return await readdir(join(this.folder, 'jobs'));
	}

	/** Returns the ids of uploads that have a folder. */
	async uploadFolderIds(): Promise<string[]> {
		return await readdir(join(this.folder, 'uploads'));
	}
}

/** Flushes a file to disk, so that it survives a power cut. */
async function fileToDisk(path: string): Promise<void> {
	await using handle = await open(path, 'r+');
	await handle.sync();
}

/** Flushes the names in a folder to disk. Windows does that by itself and cannot open folders. */
async function folderToDisk(path: string): Promise<void> {
	if (process.platform === 'win32') return;
	await using handle = await open(path, 'r');
	await handle.sync();
}
