import { rm, stat, writeFile } from 'node:fs/promises';

/** More than SQLite writes to remove an edit, and to write its log into the database. */
const RESERVE_BYTES = 2_097_152;

/**
 * A file that only takes room. On a full disk it is given up for a deletion, which SQLite could not write
 * otherwise.
 */
export class DiskReserve {
	constructor(private readonly path: string) {}

	/** Takes the room, if there is any. */
	async take(): Promise<void> {
		try {
			if ((await stat(this.path).catch(() => undefined))?.size === RESERVE_BYTES) return;
			await writeFile(this.path, Buffer.alloc(RESERVE_BYTES), { mode: 0o600 });
		} catch {
			await this.giveUp();
		}
	}

	async giveUp(): Promise<void> {
		await rm(this.path, { force: true });
	}
}
