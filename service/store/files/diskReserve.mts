import { randomBytes } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';

import PQueue from 'p-queue';

/** More than SQLite writes to remove an edit, and to write its log into the database. */
const RESERVE_BYTES = 2_097_152;

/**
 * A file that only takes room. On a full disk it is removed for a deletion, which SQLite could not write
 * otherwise.
 */
export class DiskReserve {
	private readonly works = new PQueue({ concurrency: 1 });

	constructor(private readonly path: string) {}

	/** Fills the room, if there is any. */
	async fill(): Promise<void> {
		try {
			if ((await stat(this.path).catch(() => undefined))?.size === RESERVE_BYTES) return;
			await writeFile(this.path, randomBytes(RESERVE_BYTES), { mode: 0o600 });
		} catch {
			await rm(this.path, { force: true });
		}
	}

	/** Frees the room for some work, and fills it again. One work after the other. */
	async spend(work: () => Promise<void>): Promise<void> {
		await this.works.add(async () => {
			await rm(this.path, { force: true });
			try {
				await work();
			} finally {
				await this.fill();
			}
		});
	}
}
