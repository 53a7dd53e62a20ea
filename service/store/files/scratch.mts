import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, isDiskFull } from '../../shared/failures.mts';
import { dottedExtensionOf } from '../../shared/fileNames.mts';
import { DiskReserve } from './diskReserve.mts';

/**
 * The folders of one run of an edit. Each run has its own: a stalled process that resumes may still
 * write before it notices that another one took the edit over.
 */
export interface RunFolders {
	/** Unique to the run. */
	readonly run: string;
	readonly work: string;
	/** Where the engine writes. Published once complete. */
	readonly unfinishedResult: string;
	/** The same for what a review needs. */
	readonly unfinishedReview: string;
	/** Whether the result replaces a draft. Any other result stays, because a faster run made it. */
	readonly replacesDraft: boolean;
}

/** Removes a folder even if an old run still writes there. It tries for up to 5.5 s: 0.1 s, 0.2 s … 1 s. */
const WITH_RETRIES = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/** The file that marks the folder of an edit or upload as deleted. */
export const TOMBSTONE = 'deleted';

/** Removes a folder, its tombstone last: a process that is killed meanwhile leaves no folder without one. */
export async function removeFolder(folder: string): Promise<void> {
	const names: string[] = await readdir(folder).catch(() => []);
	for (const name of names.filter((one) => one !== TOMBSTONE)) {
		await rm(join(folder, name), WITH_RETRIES);
	}
	await rm(folder, WITH_RETRIES);
}

/** The run of what a changed edit begins with. */
export const BEGINNING = 'beginning';

/** Any disk stores this in a block of its own. */
const SAMPLE_BYTES = 4_096;

/** Beginning of the name of a source. */
const SOURCE_BEGINNING = 'source-';

/**
 * The files that a process needs on this disk while it works. In the storage folder:
 *
 * - `service.sqlite`, `secrets.json`, `front.lock`
 * - `reserve`              see `DiskReserve`
 * - `incoming/`            files still arriving; see `emptyIncoming`
 * - `outbox/<id>.eml`      e-mails of edits with `send_email`, without an SMTP server
 * - `edits/<id>/`          an edit's `source-<track>.<ext>` and `work/<run>/`
 * - `scratch/<id>/`        the same with `--files s3://…`
 */
export class Scratch {
	readonly reserve: DiskReserve;
	readonly databasePath: string;
	/** Locked by the process that answers requests, when workers share the folder. */
	readonly frontLockPath: string;
	readonly outboxFolder: string;
	/** Contains the folders of all edits. */
	readonly editsFolder: string;

	/** @param editsFolderName next to the results, or separate if the results are elsewhere. */
	constructor(
		readonly folder: string,
		editsFolderName: 'edits' | 'scratch' = 'edits',
	) {
		this.reserve = new DiskReserve(join(folder, 'reserve'));
		this.databasePath = join(folder, 'service.sqlite');
		this.frontLockPath = join(folder, 'front.lock');
		this.outboxFolder = join(folder, 'outbox');
		this.editsFolder = join(folder, editsFolderName);
	}

	/** Path of an edit's e-mail in the outbox. */
	mailPath(editId: string): string {
		return join(this.outboxFolder, `${editId}.eml`);
	}

	/** Path of an e-mail that is being written. */
	unfinishedMailPath(editId: string): string {
		return `${this.mailPath(editId)}.unfinished`;
	}

	editFolder(editId: string): string {
		return join(this.editsFolder, editId);
	}

	/** Path of a source; tracks count from 0. Keeps the extension, which helps to recognize the format. */
	sourcePath(editId: string, track: number, sourceName: string): string {
		const name = `${SOURCE_BEGINNING}${track + 1}${dottedExtensionOf(sourceName)}`;
		return join(this.editFolder(editId), name);
	}

	/**
	 * Removes the files in `incoming/` that earlier processes did not finish receiving.
	 * @param pause where other processes may be receiving files: what changes meanwhile stays, whatever the clock says.
	 */
	async emptyIncoming(pause?: () => Promise<unknown>): Promise<void> {
		const before = await this.incomingFiles();
		await pause?.();
		const after = pause === undefined ? before : await this.incomingFiles();
		for (const [path, state] of before) {
			if (after.get(path) === state) await rm(path, { force: true });
		}
	}

	/** Returns the size of each arriving file and when it last changed, as one text. */
	private async incomingFiles(): Promise<Map<string, string>> {
		const folder = join(this.folder, 'incoming');
		const files = new Map<string, string>();
		for (const name of await readdir(folder)) {
			const path = join(folder, name);
			// Another process may have moved the file to its place.
			const found = await stat(path).catch(() => undefined);
			if (found) files.set(path, `${found.size} ${found.mtimeMs}`);
		}
		return files;
	}

	/** Creates missing folders. */
	async prepare(): Promise<void> {
		for (const path of [join(this.folder, 'incoming'), this.editsFolder]) {
			await mkdir(path, { recursive: true, mode: 0o700 });
		}
	}

	/** Returns a new path for an arriving file, in a folder that somebody may have removed. */
	incomingPath(): string {
		const folder = join(this.folder, 'incoming');
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		return join(folder, randomUUID());
	}

	/**
	 * Returns why nothing can be stored now, without a path; undefined if it can.
	 * @param hasDatabase whether the database is in this folder.
	 */
	async storingTrouble(hasDatabase: boolean): Promise<string | undefined> {
		// Once removed, the database seems to work until the service ends.
		if (hasDatabase && !existsSync(this.databasePath)) {
			return 'its database was removed; restore the storage folder and restart the service';
		}
		try {
			const path = this.incomingPath();
			await writeFile(path, Buffer.alloc(SAMPLE_BYTES)).finally(() => rm(path, { force: true }));
			return undefined;
		} catch (error) {
			return isDiskFull(error) ? 'its disk is full' : `its folder refuses files (${codeOf(error)})`;
		}
	}

	/**
	 * Creates an empty folder for an edit, with the folders of one run. Leaves what a changed edit begins with.
	 * @param isKept leaves what an earlier run published, and the sources.
	 */
	async startEditFolder(editId: string, isKept = false): Promise<RunFolders> {
		const names: string[] = await readdir(this.editFolder(editId)).catch(() => []);
		for (const name of names) {
			if (name !== BEGINNING && (name === 'work' || !isKept)) {
				await rm(join(this.editFolder(editId), name), WITH_RETRIES);
			}
		}
		const run = randomUUID();
		const path = join(this.editFolder(editId), 'work', run);
		const folders = {
			work: join(path, 'work'),
			unfinishedResult: join(path, 'result'),
			unfinishedReview: join(path, 'review'),
		};
		for (const folder of Object.values(folders)) {
			await mkdir(folder, { recursive: true, mode: 0o700 });
		}
		return { run, ...folders, replacesDraft: isKept };
	}

	/** Removes the working files of a run, but no sources, and nothing of another run. */
	async removeWork(editId: string, run: string): Promise<void> {
		const work = join(this.editFolder(editId), 'work');
		await rm(join(work, run), WITH_RETRIES);
		// Fails if another run works there.
		await rmdir(work).catch(() => undefined);
	}

	/** Removes the sources as well, unless another run of the edit works on this disk. */
	async removeRun(editId: string, run: string): Promise<void> {
		await this.removeWork(editId, run);
		const folder = this.editFolder(editId);
		const names: string[] = await readdir(folder).catch(() => []);
		if (names.includes('work')) return;
		for (const name of names.filter((one) => one.startsWith(SOURCE_BEGINNING))) {
			await rm(join(folder, name), { force: true });
		}
		await rmdir(folder).catch(() => undefined);
	}

	/** Removes an edit's folder. */
	async removeEdit(editId: string): Promise<void> {
		await removeFolder(this.editFolder(editId));
	}

	/** Removes an edit's e-mail from the outbox. */
	async removeMail(editId: string): Promise<void> {
		await rm(this.mailPath(editId), { force: true });
		await rm(this.unfinishedMailPath(editId), { force: true });
	}

	/** Returns the ids of edits that have an e-mail in the outbox. */
	async mailIds(): Promise<string[]> {
		const names = await readdir(this.outboxFolder).catch(() => []);
		return names.map((name) => name.split('.', 1)[0] ?? '');
	}

	/** Returns the ids of edits that have a folder. */
	async editIds(): Promise<string[]> {
		return await readdir(this.editsFolder);
	}
}
