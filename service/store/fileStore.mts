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
 * Where one run of an edit works. A process that takes the edit over works elsewhere: the one that
 * was held up may still write when it goes on, before it sees that it lost the edit.
 */
export interface RunFolders {
	readonly work: string;
	/** Where the engine writes; becomes the result folder in one step when it is complete. */
	readonly unfinishedResult: string;
}

/**
 * The storage folder's layout, in one place:
 *
 * - `service.sqlite`, `secrets.json`, `front.lock`
 * - `incoming/`            files that are still arriving; emptied at every start
 * - `outbox/<id>.eml`      mail that nobody sends, one for each edit that wants one
 * - `uploads/<id>/file`    complete uploads
 * - `jobs/<id>/source-<track>.<ext>`, `work/<run>/`, `result/`
 */
export class FileStore {
	constructor(readonly folder: string) {}

	get databasePath(): string {
		return join(this.folder, 'service.sqlite');
	}

	/** Locked by the process that answers requests while workers share the folder. */
	get frontLockPath(): string {
		return join(this.folder, 'front.lock');
	}

	get outboxFolder(): string {
		return join(this.folder, 'outbox');
	}

	uploadPath(uploadId: string): string {
		return join(this.folder, 'uploads', uploadId, 'file');
	}

	jobFolder(jobId: string): string {
		return join(this.folder, 'jobs', jobId);
	}

	/** One for each track, counted from 0. Keeps the extension: some formats are recognised by it more surely. */
	sourcePath(jobId: string, track: number, sourceName: string): string {
		return join(this.jobFolder(jobId), `source-${track + 1}${extensionOf(sourceName)}`);
	}

	resultPath(jobId: string, fileName: string): string {
		return join(this.jobFolder(jobId), 'result', fileName);
	}

	/** Empties `incoming/`: what an earlier process was receiving is lost. */
	async emptyIncoming(): Promise<void> {
		await rm(join(this.folder, 'incoming'), { recursive: true, force: true });
	}

	/** Makes the folders that are not there. */
	async prepare(): Promise<void> {
		for (const name of ['incoming', 'uploads', 'jobs']) {
			await mkdir(join(this.folder, name), { recursive: true, mode: 0o700 });
		}
	}

	/** A fresh path for a file that is arriving. */
	incomingPath(): string {
		return join(this.folder, 'incoming', randomUUID());
	}

	/** Puts a completely arrived file in an upload's place, over an earlier one; a power cut leaves it there. */
	async keepUpload(incomingPath: string, uploadId: string): Promise<void> {
		const uploads = join(this.folder, 'uploads');
		await mkdir(join(uploads, uploadId), { recursive: true, mode: 0o700 });
		await fileToDisk(incomingPath);
		await rename(incomingPath, this.uploadPath(uploadId));
		await folderToDisk(join(uploads, uploadId));
		await folderToDisk(uploads);
	}

	/** Makes an empty folder for a job, and folders for one run of it. */
	async startJobFolder(jobId: string): Promise<RunFolders> {
		await this.removeJob(jobId);
		const run = join(this.jobFolder(jobId), 'work', randomUUID());
		const folders = { work: join(run, 'work'), unfinishedResult: join(run, 'result') };
		for (const path of Object.values(folders)) await mkdir(path, { recursive: true, mode: 0o700 });
		return folders;
	}

	/**
	 * Gives a job its own name for an uploaded file, so that a later upload over it or its deletion
	 * does not change a job in the middle. A hard link costs nothing; where there are none, a copy.
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

	/** Makes the engine's output the job's result; a power cut leaves it there. */
	async keepResult(jobId: string, { unfinishedResult }: RunFolders): Promise<void> {
		for (const name of await readdir(unfinishedResult)) {
			await fileToDisk(join(unfinishedResult, name));
		}
		await folderToDisk(unfinishedResult);
		await rename(unfinishedResult, join(this.jobFolder(jobId), 'result'));
		await folderToDisk(this.jobFolder(jobId));
		await folderToDisk(join(this.folder, 'jobs'));
	}

	/**
	 * What a finished job takes on disk: results and fetched sources.
	 * @param uploadedTracks tracks that are links to uploads, which take no more space.
	 */
	async bytesOf(jobId: string, uploadedTracks: readonly number[]): Promise<number> {
		const folder = this.jobFolder(jobId);
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
	 * Removes what only the work needed, of all runs. The sources stay as long as the result, spec
	 * "Retention": an upload's takes no room of its own where the file system knows hard links.
	 */
	async removeWork(jobId: string): Promise<void> {
		await rm(join(this.jobFolder(jobId), 'work'), { recursive: true, force: true });
	}

	async removeJob(jobId: string): Promise<void> {
		await rm(this.jobFolder(jobId), { recursive: true, force: true });
	}

	async removeUpload(uploadId: string): Promise<void> {
		await rm(join(this.folder, 'uploads', uploadId), { recursive: true, force: true });
	}

	/** Ids of the jobs that have a folder. */
	async jobFolderIds(): Promise<string[]> {
		return await readdir(join(this.folder, 'jobs'));
	}

	/** Ids of the uploads that have a folder. */
	async uploadFolderIds(): Promise<string[]> {
		return await readdir(join(this.folder, 'uploads'));
	}
}

/** Has what was written to a file survive a power cut. */
async function fileToDisk(path: string): Promise<void> {
	await using handle = await open(path, 'r+');
	await handle.sync();
}

/** Has the names in a folder survive a power cut. Windows keeps them by itself and opens no folder. */
async function folderToDisk(path: string): Promise<void> {
	if (process.platform === 'win32') return;
	await using handle = await open(path, 'r');
	await handle.sync();
}
