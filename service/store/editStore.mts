import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';

import type { KnownEditStatus } from '../shared/contract.mts';
import type { Moment } from '../shared/clock.mts';
import { storedEditSchema, uploadIdsOf, type StoredEdit, type EditOutcome } from './edit.mts';

type Row = Record<string, SQLOutputValue>;

/** The token of the claim under which an edit is written; null without `--queue`. */
type Token = string | null;

/** Restricts an update to an unfinished edit and to the holder of its claim. */
const HELD = `id = :id AND finished_at_ms IS NULL AND (:token IS NULL OR EXISTS
	(SELECT 1 FROM claims WHERE job_id = :id AND token = :token))`;

/** The fields that a new edit needs; the rest of its row follows from them. */
export type NewEdit = Pick<StoredEdit, 'id' | 'ownerId' | 'createdAtMs' | 'templateId' | 'request'>;

function jsonOrNull(text: SQLOutputValue | undefined): unknown {
	return typeof text === 'string' ? JSON.parse(text) : null;
}

function editOf(row: Row): StoredEdit {
	return storedEditSchema.parse({
		id: row.id,
		ownerId: row.owner_id,
		status: row.status,
		createdAtMs: row.created_at_ms,
		updatedAtMs: row.updated_at_ms,
		finishedAtMs: row.finished_at_ms,
		templateId: row.template_id,
		request: jsonOrNull(row.request),
		outcome: jsonOrNull(row.outcome),
		failureReason: row.failure_reason,
	});
}

/**
 * Returns the readable edits among the rows. One unreadable row, such as one that another version of
 * the service wrote, must not hide the rest.
 */
function readableEditsOf(rows: readonly Row[]): StoredEdit[] {
	return rows.flatMap((row) => {
		try {
			return [editOf(row)];
		} catch {
			return [];
		}
	});
}

/** The statements on the table of edits, prepared once. */
function prepare(database: DatabaseSync) {
	return {
		insert: database.prepare(`INSERT INTO jobs
			(id, owner_id, status, created_at_ms, updated_at_ms, template_id, request)
			VALUES (?, ?, 'PENDING', ?, ?, ?, ?)`),
		addUse: database.prepare('INSERT OR IGNORE INTO upload_uses (upload_id, job_id) VALUES (?, ?)'),
		removeUses: database.prepare('DELETE FROM upload_uses WHERE job_id = ?'),
		find: database.prepare('SELECT * FROM jobs WHERE id = ?'),
		owner: database.prepare('SELECT owner_id FROM jobs WHERE id = ?'),
		newest: database.prepare(`SELECT * FROM jobs WHERE :owner IS NULL OR owner_id = :owner
			ORDER BY sequence DESC LIMIT :count`),
		unfinished: database.prepare(
			'SELECT id FROM jobs WHERE finished_at_ms IS NULL ORDER BY attempts, sequence',
		),
		completed: database.prepare(`SELECT * FROM jobs WHERE template_id = ? AND owner_id = ?
			AND status = 'SUCCESS' AND finished_age_ms >= ?
			ORDER BY finished_age_ms DESC, sequence DESC LIMIT ?`),
		finishedBefore: database.prepare('SELECT id FROM jobs WHERE finished_age_ms < ?'),
		waiting: database.prepare(
			'SELECT COUNT(*) AS count FROM jobs WHERE owner_id = ? AND finished_at_ms IS NULL',
		),
		bytes: database.prepare('SELECT SUM(bytes) AS total FROM jobs WHERE owner_id = ?'),
		ids: database.prepare('SELECT id FROM jobs'),
		setStatus: database.prepare(
			`UPDATE jobs SET status = :status, updated_at_ms = :now WHERE ${HELD}`,
		),
		interrupt: database.prepare(`UPDATE jobs SET status = 'RETRY', updated_at_ms = ?
			WHERE finished_at_ms IS NULL AND status <> 'PENDING' RETURNING id`),
		countAttempt: database.prepare(
			'UPDATE jobs SET attempts = attempts + 1 WHERE id = ? RETURNING attempts',
		),
		takeBackAttempt: database.prepare('UPDATE jobs SET attempts = attempts - 1 WHERE id = ?'),
		finish: database.prepare(`UPDATE jobs SET status = :status, updated_at_ms = :now,
			finished_at_ms = :now, finished_age_ms = :age, outcome = :outcome, bytes = :bytes,
			failure_reason = :reason WHERE ${HELD}`),
		remove: database.prepare('DELETE FROM jobs WHERE id = ?'),
	};
}

/** The table of edits. Times in milliseconds on the service's clock. */
export class EditStore {
	readonly #statements: ReturnType<typeof prepare>;

	constructor(private readonly database: DatabaseSync) {
		this.#statements = prepare(database);
	}

	/** Adds an edit with status PENDING; it is on disk when this returns. */
	add(edit: NewEdit): void {
		inOneTransaction(this.database, () => {
			this.#statements.insert.run(
				edit.id,
				edit.ownerId,
				edit.createdAtMs,
				edit.createdAtMs,
				edit.templateId,
				JSON.stringify(edit.request),
			);
			for (const uploadId of uploadIdsOf(edit)) this.#statements.addUse.run(uploadId, edit.id);
		});
	}

	/** Returns the edit with this id, regardless of its owner. */
	find(id: string): StoredEdit | undefined {
		const row = this.#statements.find.get(id);
		return row === undefined ? undefined : editOf(row);
	}

	/** Returns the owner of an edit, even if its row is otherwise unreadable. */
	ownerOf(id: string): string | undefined {
		const owner = this.#statements.owner.get(id)?.owner_id;
		return typeof owner === 'string' ? owner : undefined;
	}

	/** Whether an edit with this id exists, even if its row is unreadable. */
	has(id: string): boolean {
		return this.#statements.find.get(id) !== undefined;
	}

	/** Returns the newest edits of one owner, or of all owners, newest first. */
	newest(count: number, ownerId: string | null = null): StoredEdit[] {
		return readableEditsOf(this.#statements.newest.all({ count, owner: ownerId }));
	}

	/**
	 * Returns the ids of queued and interrupted edits, oldest first. Edits that were running when a
	 * process died come last, because they may have killed it.
	 */
	unfinishedIds(): string[] {
		return this.#statements.unfinished.all().map((row) => String(row.id));
	}

	/** Sets unfinished edits that had left PENDING to RETRY and returns their ids. */
	interrupt(nowMs: number): Set<string> {
		return new Set(this.#statements.interrupt.all(nowMs).map((row) => String(row.id)));
	}

	/** Returns the ids of all edits. */
	ids(): Set<string> {
		return new Set(this.#statements.ids.all().map((row) => String(row.id)));
	}

	/** Returns an owner's successful edits with a template since a folder age, newest first. */
	completed(templateId: number, ownerId: string, sinceAgeMs: number, limit: number): StoredEdit[] {
		const rows = this.#statements.completed.all(templateId, ownerId, sinceAgeMs, limit);
		return readableEditsOf(rows);
	}

	/** Returns the ids of edits that ended before a folder age. */
	idsFinishedBefore(ageMs: number): string[] {
		return this.#statements.finishedBefore.all(ageMs).map((row) => String(row.id));
	}

	/** Returns the number of an owner's unfinished edits. */
	unfinishedCount(ownerId: string): number {
		return Number(this.#statements.waiting.get(ownerId)?.count ?? 0);
	}

	/** Returns the bytes that an owner's finished edits use on disk, without uploads. */
	bytesOf(ownerId: string): number {
		return Number(this.#statements.bytes.get(ownerId)?.total ?? 0);
	}

	/** Counts another attempt at an edit and returns the number so far. */
	countAttempt(id: string): number {
		return Number(this.#statements.countAttempt.get(id)?.attempts ?? 0);
	}

	/** Takes back one attempt. */
	takeBackAttempt(id: string): void {
		this.#statements.takeBackAttempt.run(id);
	}

	/** Sets the status of an unfinished edit, unless another process took it over. */
	setStatus(id: string, status: KnownEditStatus, nowMs: number, token: Token = null): void {
		this.#statements.setStatus.run({ id, status, now: nowMs, token });
	}

	/**
	 * Ends an edit with SUCCESS, which makes its files downloadable. Returns false when the edit was
	 * deleted, has ended already or was taken over by another process.
	 */
	succeed(id: string, outcome: EditOutcome, bytes: number, moment: Moment, token: Token = null) {
		const ended = { status: 'SUCCESS', outcome: JSON.stringify(outcome), bytes, reason: null };
		return this.#finish({ id, token, ...ended }, moment);
	}

	/** Ends an edit with FAILURE. Returns false in the same cases as `succeed`. */
	fail(id: string, reason: string, moment: Moment, token: Token = null): boolean {
		const ended = { status: 'FAILURE', outcome: null, bytes: 0, reason };
		return this.#finish({ id, token, ...ended }, moment);
	}

	#finish(row: Record<string, SQLInputValue>, { nowMs, ageMs }: Moment): boolean {
		return this.#statements.finish.run({ ...row, now: nowMs, age: ageMs }).changes === 1;
	}

	/** Removes edits and their links to uploads from the database, but no files. */
	remove(ids: readonly string[]): void {
		inOneTransaction(this.database, () => {
			for (const id of ids) {
				this.#statements.remove.run(id);
				this.#statements.removeUses.run(id);
			}
		});
	}
}

function inOneTransaction(database: DatabaseSync, write: () => void): void {
	database.exec('BEGIN IMMEDIATE');
	try {
		write();
		database.exec('COMMIT');
	} catch (error) {
		database.exec('ROLLBACK');
		throw error;
	}
}
