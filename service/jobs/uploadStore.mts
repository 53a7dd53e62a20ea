import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

import { z } from 'zod';

const uploadSchema = z.object({
	id: z.string(),
	/** The hash of the API key the upload belongs to. */
	ownerId: z.string(),
	fileName: z.string(),
	createdAtMs: z.number(),
	/** When the file was there completely; null until then. */
	storedAtMs: z.number().nullable(),
});

/** A signed upload link that was given out, and the file when it came. */
export type StoredUpload = z.infer<typeof uploadSchema>;

function uploadOf(row: Record<string, SQLOutputValue>): StoredUpload {
	return uploadSchema.parse({
		id: row.id,
		ownerId: row.owner_id,
		fileName: row.file_name,
		createdAtMs: row.created_at_ms,
		storedAtMs: row.stored_at_ms,
	});
}

/** The jobs that name an upload; `upload_ids` is a JSON array. */
const JOBS_OF_UPLOAD = `FROM jobs, json_each(jobs.upload_ids) WHERE json_each.value = uploads.id`;

/** The statements on the table of uploads, prepared once. */
function prepare(database: DatabaseSync) {
	return {
		insert: database.prepare(
			'INSERT INTO uploads (id, owner_id, file_name, created_at_ms) VALUES (?, ?, ?, ?)',
		),
		find: database.prepare('SELECT * FROM uploads WHERE id = ?'),
		markStored: database.prepare('UPDATE uploads SET stored_at_ms = ? WHERE id = ?'),
		remove: database.prepare('DELETE FROM uploads WHERE id = ?'),
		ids: database.prepare('SELECT id FROM uploads'),
		needed: database.prepare(`SELECT 1 FROM uploads WHERE id = ?
			AND EXISTS (SELECT 1 ${JOBS_OF_UPLOAD} AND jobs.finished_at_ms IS NULL)`),
		unusedSince: database.prepare(`SELECT id FROM uploads
			WHERE COALESCE(stored_at_ms, created_at_ms) < :time
			AND NOT EXISTS (SELECT 1 ${JOBS_OF_UPLOAD}
				AND (jobs.finished_at_ms IS NULL OR jobs.finished_at_ms >= :time))`),
		newestTime: database.prepare(
			'SELECT MAX(COALESCE(stored_at_ms, created_at_ms)) AS newest FROM uploads',
		),
	};
}

/** The table of uploads. Times in milliseconds on the service's clock. */
export class UploadStore {
	readonly #statements: ReturnType<typeof prepare>;

	constructor(database: DatabaseSync) {
		this.#statements = prepare(database);
	}

	/** Notes that a link was given out. */
	add(upload: Omit<StoredUpload, 'storedAtMs'>): void {
		this.#statements.insert.run(upload.id, upload.ownerId, upload.fileName, upload.createdAtMs);
	}

	/** The upload with this id, whoever owns it. */
	find(id: string): StoredUpload | undefined {
		const row = this.#statements.find.get(id);
		return row === undefined ? undefined : uploadOf(row);
	}

	/** Notes that the file is there completely. */
	markStored(id: string, nowMs: number): void {
		this.#statements.markStored.run(nowMs, id);
	}

	/** Removes the row; the file is somebody else's matter. */
	remove(id: string): void {
		this.#statements.remove.run(id);
	}

	/** Ids of all uploads. */
	ids(): Set<string> {
		return new Set(this.#statements.ids.all().map((row) => String(row.id)));
	}

	/** Whether a job that has not ended reads this upload. */
	isNeeded(id: string): boolean {
		return this.#statements.needed.get(id) !== undefined;
	}

	/** Ids of uploads that came, and whose last job ended, before a time. */
	unusedSince(timeMs: number): string[] {
		return this.#statements.unusedSince.all({ time: timeMs }).map((row) => String(row.id));
	}

	/** The newest time in the table, 0 when it is empty. */
	newestTimeMs(): number {
		return Number(this.#statements.newestTime.get()?.newest ?? 0);
	}
}
