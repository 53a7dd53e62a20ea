import { sql } from 'kysely';

import type { Moment } from '../shared/clock.mts';
import { idsOf, isPostgres, lockOwner, type Database } from './database.mts';
import { uploadIdsOf, type StoredEdit } from './edit.mts';
import { removeRows } from './editRow.mts';
import { atLeastStored } from './files/folderAge.mts';
import { fitsWith } from './quota.mts';

/** A signed upload link, and the file once it has arrived. */
export interface StoredUpload {
	id: string;
	/** The hash of the API key the upload belongs to. */
	ownerId: string;
	fileName: string;
	/** When the file was complete; null until then. */
	storedAtMs: number | null;
	/** Size of the file; 0 until it is complete. */
	bytes: number;
	/** The folder age from which its retention counts. */
	ageMs: number;
}

/** The fields of a stored upload. */
const FIELDS = [
	'id',
	'bytes',
	'owner_id as ownerId',
	'file_name as fileName',
	'stored_at_ms as storedAtMs',
	'age_ms as ageMs',
] as const;

/** The edits of an upload's owner that name it. Another key's edits cannot use it and do not count. */
const EDITS_OF_UPLOAD = sql`FROM upload_uses JOIN edits ON edits.id = upload_uses.edit_id
	WHERE upload_uses.upload_id = uploads.id AND edits.owner_id = uploads.owner_id`;

/** The condition for uploads that arrived, and whose last edit ended, before a folder age. */
const isUnusedSince = (ageMs: number) => sql<boolean>`(age_ms < ${ageMs}
	AND NOT EXISTS (SELECT 1 ${EDITS_OF_UPLOAD}
		AND (edits.finished_age_ms IS NULL OR edits.finished_age_ms >= ${ageMs})))`;

/** Deletes uploads that arrived, and whose last edit ended, before a folder age. */
export const removeUnused = (ageMs: number) =>
	sql<{ id: string }>`DELETE FROM uploads WHERE ${isUnusedSince(ageMs)} RETURNING id`;

/** What the row says of a file that is complete. */
const storedAt = ({ nowMs, ageMs }: Moment, bytes: number) => ({
	stored_at_ms: nowMs,
	age_ms: atLeastStored(ageMs),
	bytes,
});

/** The table of uploads. Times in milliseconds on the service's clock. */
export class UploadStore {
	constructor(private readonly database: Database) {}

	/** Adds an upload whose link a client has just received. */
	async add(
		{ id, ownerId, fileName }: Pick<StoredUpload, 'id' | 'ownerId' | 'fileName'>,
		{ nowMs, ageMs }: Moment,
	): Promise<void> {
		const named = { id, owner_id: ownerId, file_name: fileName };
		await this.database.run((tables) =>
			tables
				.insertInto('uploads')
				.values({ ...named, created_at_ms: nowMs, age_ms: atLeastStored(ageMs) })
				// The row exists if an earlier try succeeded but its answer was lost.
				.onConflict((conflict) => conflict.column('id').doNothing())
				.execute(),
		);
	}

	/** Returns the upload with this id, regardless of its owner. */
	async find(id: string): Promise<StoredUpload | undefined> {
		return await this.database.run((tables) =>
			tables.selectFrom('uploads').select(FIELDS).where('id', '=', id).executeTakeFirst(),
		);
	}

	/** Records that the file is complete, and its size. */
	async markStored(id: string, bytes: number, moment: Moment): Promise<void> {
		await this.database.run((tables) =>
			tables.updateTable('uploads').set(storedAt(moment, bytes)).where('id', '=', id).execute(),
		);
	}

	/**
	 * Does the same if all files of the owner stay within the quota. Returns false if not, or when the
	 * upload was deleted.
	 */
	async markStoredWithin(
		quotaBytes: number,
		{ id, ownerId }: Pick<StoredUpload, 'id' | 'ownerId'>,
		bytes: number,
		moment: Moment,
	): Promise<boolean> {
		const { numUpdatedRows } = await this.database.transaction(async (tables) => {
			await lockOwner(tables, ownerId);
			return await tables
				.updateTable('uploads')
				.set(storedAt(moment, bytes))
				.where('id', '=', id)
				.where(fitsWith(ownerId, id, bytes, quotaBytes))
				.executeTakeFirst();
		});
		return numUpdatedRows === 1n;
	}

	/** Whether an edit of its owner names the upload, and has not failed. */
	async isUsed(id: string): Promise<boolean> {
		const row = await this.database.run((tables) =>
			tables
				.selectFrom('uploads')
				.select('id')
				.where('id', '=', id)
				.where(sql<boolean>`EXISTS (SELECT 1 ${EDITS_OF_UPLOAD} AND edits.status <> 'FAILURE')`)
				.executeTakeFirst(),
		);
		return row !== undefined;
	}

	/** Undoes `markStoredWithin` for a file that could not be kept. */
	async restore({ id, storedAtMs, bytes, ageMs }: StoredUpload): Promise<void> {
		const before = { stored_at_ms: storedAtMs, bytes, age_ms: ageMs };
		await this.database.run((tables) =>
			tables.updateTable('uploads').set(before).where('id', '=', id).execute(),
		);
	}

	/**
	 * Removes an edit, and its uploads that no other edit of its owner names, but no files. Returns the
	 * ids of these uploads.
	 */
	async removeWithEdit(edit: Pick<StoredEdit, 'id' | 'ownerId' | 'request'>): Promise<string[]> {
		const uploadIds = uploadIdsOf(edit);
		return await this.database.transaction(async (tables) => {
			await lockOwner(tables, edit.ownerId);
			await removeRows(tables, edit.id);
			if (uploadIds.length === 0) return [];
			const removed = await tables
				.deleteFrom('uploads')
				.where('id', 'in', uploadIds)
				.where('owner_id', '=', edit.ownerId)
				.where(sql<boolean>`NOT EXISTS (SELECT 1 ${EDITS_OF_UPLOAD})`)
				.returning('id')
				.execute();
			return removed.map(({ id }) => id);
		});
	}

	/** Returns the ids of all uploads. */
	async ids(): Promise<Set<string>> {
		const all = await idsOf(this.database, (tables) => tables.selectFrom('uploads').select('id'));
		return new Set(all);
	}

	/** Returns the ids of uploads that arrived, and whose last edit ended, before a folder age. */
	async idsUnusedSince(ageMs: number): Promise<string[]> {
		return await idsOf(this.database, (tables) =>
			tables.selectFrom('uploads').select('id').where(isUnusedSince(ageMs)),
		);
	}

	/**
	 * Removes the rows of uploads that arrived, and whose last edit ended, before a folder age. Returns
	 * their ids.
	 */
	async removeUnusedSince(ageMs: number): Promise<string[]> {
		const { rows } = await this.database.run((tables) => removeUnused(ageMs).execute(tables));
		return rows.map(({ id }) => id);
	}

	/** Gives the space of SQLite's write-ahead log back to the disk. */
	async shrink(): Promise<void> {
		await this.database.run(async (tables) => {
			if (!isPostgres(tables)) await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(tables);
		});
	}
}
