import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

import { z } from 'zod';

import type { Moment } from '../shared/clock.mts';

const uploadSchema = z.object({
	id: z.string(),
	/** The hash of the API key the upload belongs to. */
	ownerId: z.string(),
	fileName: z.string(),
	createdAtMs: z.number(),
	/** When the file was complete; null until then. */
	storedAtMs: z.number().nullable(),
});

/** A signed upload link, and the file once it has arrived. */
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

/** The edits of an upload's owner that name it. Another key's edits cannot use it and do not count. */
const EDITS_OF_UPLOAD = `FROM upload_uses JOIN jobs ON jobs.id = upload_uses.job_id
	WHERE upload_uses.upload_id = uploads.id AND jobs.owner_id = uploads.owner_id`;

/** Deletes uploads that arrived, and whose last edit ended, before a folder age. */
export const REMOVE_UNUSED = `DELETE FROM uploads WHERE age_ms < :age
	AND NOT EXISTS (SELECT 1 ${EDITS_OF_UPLOAD}
		AND (jobs.finished_age_ms IS NULL OR jobs.finished_age_ms >= :age))`;

/** The statements on the table of uploads, prepared once. */
function prepare(database: DatabaseSync) {
	return {
		insert: database.prepare(
			'INSERT INTO uploads (id, owner_id, file_name, created_at_ms, age_ms) VALUES (?, ?, ?, ?, ?)',
		),
		find: database.prepare('SELECT * FROM uploads WHERE id = ?'),
		markStored: database.prepare(
			'UPDATE uploads SET stored_at_ms = ?, age_ms = ?, bytes = ? WHERE id = ?',
		),
		remove: database.prepare('DELETE FROM uploads WHERE id = ?'),
		ids: database.prepare('SELECT id FROM uploads'),
		named: database.prepare(
			`SELECT 1 FROM uploads WHERE id = ? AND EXISTS (SELECT 1 ${EDITS_OF_UPLOAD})`,
		),
		removeUnused: database.prepare(REMOVE_UNUSED),
		bytes: database.prepare('SELECT SUM(bytes) AS total FROM uploads WHERE owner_id = ?'),
	};
}

/** The table of uploads. Times in milliseconds on the service's clock. */
export class UploadStore {
	readonly #statements: ReturnType<typeof prepare>;

	constructor(database: DatabaseSync) {
		this.#statements = prepare(database);
	}

	/** Adds an upload whose link a client has just received. */
	add(upload: Omit<StoredUpload, 'storedAtMs' | 'createdAtMs'>, { nowMs, ageMs }: Moment): void {
		this.#statements.insert.run(upload.id, upload.ownerId, upload.fileName, nowMs, ageMs);
	}

	/** Returns the upload with this id, regardless of its owner. */
	find(id: string): StoredUpload | undefined {
		const row = this.#statements.find.get(id);
		return row === undefined ? undefined : uploadOf(row);
	}

	/** Records that the file is complete, and its size. */
	markStored(id: string, bytes: number, { nowMs, ageMs }: Moment): void {
		this.#statements.markStored.run(nowMs, ageMs, bytes, id);
	}

	/** Removes the row, not the file. */
	remove(id: string): void {
		this.#statements.remove.run(id);
	}

	/** Returns the ids of all uploads. */
	ids(): Set<string> {
		return new Set(this.#statements.ids.all().map((row) => String(row.id)));
	}

	/** Whether an edit of the same owner names this upload. */
	isNamed(id: string): boolean {
		return this.#statements.named.get(id) !== undefined;
	}

	/**
	 * Removes the rows of uploads that arrived, and whose last edit ended, before a folder age. Returns
	 * their number.
	 */
	removeUnusedSince(ageMs: number): number {
		return Number(this.#statements.removeUnused.run({ age: ageMs }).changes);
	}

	/** Returns the bytes that an owner's uploads use on disk. */
	bytesOf(ownerId: string): number {
		return Number(this.#statements.bytes.get(ownerId)?.total ?? 0);
	}
}
