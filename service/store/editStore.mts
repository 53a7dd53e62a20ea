import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';

import type { KnownEditStatus } from '../shared/contract.mts';
import type { Moment } from '../shared/clock.mts';
import { storedEditSchema, uploadIdsOf, type StoredEdit, type EditOutcome } from './edit.mts';

type Row = Record<string, SQLOutputValue>;

/** Written by who holds the claim on a job, when several processes work; null when one does. */
type Token = string | null;

/** What only the holder of the claim may write. */
const HELD = `id = :id AND finished_at_ms IS NULL AND (:token IS NULL OR EXISTS
	(SELECT 1 FROM claims WHERE job_id = :id AND token = :token))`;

/** What a new job brings with it; the rest of its row follows from that. */
export type NewEdit = Pick<StoredEdit, 'id' | 'ownerId' | 'createdAtMs' | 'templateId' | 'request'>;

function jsonOrNull(text: SQLOutputValue | undefined): unknown {
	return typeof text === 'string' ? JSON.parse(text) : null;
}

function jobOf(row: Row): StoredEdit {
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
 * The jobs in rows, without those that cannot be read (another version of the service wrote them,
 * say): one such row must not hide all others.
 */
function readableJobsOf(rows: readonly Row[]): StoredEdit[] {
	return rows.flatMap((row) => {
		try {
			return [jobOf(row)];
		} catch {
			return [];
		}
	});
}

/** The statements on the table of jobs, prepared once. */
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

/** The table of jobs. Times in milliseconds on the service's clock. */
export class EditStore {
	readonly #statements: ReturnType<typeof prepare>;

	constructor(private readonly database: DatabaseSync) {
		this.#statements = prepare(database);
	}

	/** Adds a job with status PENDING; it is on the disk when this returns. */
	add(job: NewEdit): void {
		inOneTransaction(this.database, () => {
			this.#statements.insert.run(
				job.id,
				job.ownerId,
				job.createdAtMs,
				job.createdAtMs,
				job.templateId,
				JSON.stringify(job.request),
			);
			for (const uploadId of uploadIdsOf(job)) this.#statements.addUse.run(uploadId, job.id);
		});
	}

	/** The job with this id, whoever owns it. */
	find(id: string): StoredEdit | undefined {
		const row = this.#statements.find.get(id);
		return row === undefined ? undefined : jobOf(row);
	}

	/** Whose job this is, also one that cannot be read. */
	ownerOf(id: string): string | undefined {
		const owner = this.#statements.owner.get(id)?.owner_id;
		return typeof owner === 'string' ? owner : undefined;
	}

	/** Whether there is a job with this id, also one that cannot be read. */
	has(id: string): boolean {
		return this.#statements.find.get(id) !== undefined;
	}

	/** The newest jobs first, of one owner or of all. */
	newest(count: number, ownerId: string | null = null): StoredEdit[] {
		return readableJobsOf(this.#statements.newest.all({ count, owner: ownerId }));
	}

	/**
	 * Ids of the jobs that are queued or were being worked on, oldest first; those in the middle of
	 * which a process died come last, for they may have killed it.
	 */
	unfinishedIds(): string[] {
		return this.#statements.unfinished.all().map((row) => String(row.id));
	}

	/** Puts the unfinished jobs that had left PENDING into RETRY, and returns their ids. */
	interrupt(nowMs: number): Set<string> {
		return new Set(this.#statements.interrupt.all(nowMs).map((row) => String(row.id)));
	}

	/** Ids of all jobs. */
	ids(): Set<string> {
		return new Set(this.#statements.ids.all().map((row) => String(row.id)));
	}

	/** An owner's successful jobs of a template that ended at an age of the folder or later, newest first. */
	completed(templateId: number, ownerId: string, sinceAgeMs: number, limit: number): StoredEdit[] {
		const rows = this.#statements.completed.all(templateId, ownerId, sinceAgeMs, limit);
		return readableJobsOf(rows);
	}

	/** Ids of the jobs that ended before an age of the folder. */
	idsFinishedBefore(ageMs: number): string[] {
		return this.#statements.finishedBefore.all(ageMs).map((row) => String(row.id));
	}

	/** How many of an owner's jobs have not ended. */
	unfinishedCount(ownerId: string): number {
		return Number(this.#statements.waiting.get(ownerId)?.count ?? 0);
	}

	/** What the finished jobs of an owner take on disk, without uploads. */
	bytesOf(ownerId: string): number {
		return Number(this.#statements.bytes.get(ownerId)?.total ?? 0);
	}

	/** Counts that work on a job begins, and returns how often it has begun so far. */
	countAttempt(id: string): number {
		return Number(this.#statements.countAttempt.get(id)?.attempts ?? 0);
	}

	/** Counts one beginning less. */
	takeBackAttempt(id: string): void {
		this.#statements.takeBackAttempt.run(id);
	}

	/** Writes the status of a job that has not ended and that nobody took over. */
	setStatus(id: string, status: KnownEditStatus, nowMs: number, token: Token = null): void {
		this.#statements.setStatus.run({ id, status, now: nowMs, token });
	}

	/**
	 * Ends a job with SUCCESS; from here on its files are offered. False when it was deleted, has
	 * ended, or another process took it over.
	 */
	succeed(id: string, outcome: EditOutcome, bytes: number, moment: Moment, token: Token = null) {
		const ended = { status: 'SUCCESS', outcome: JSON.stringify(outcome), bytes, reason: null };
		return this.#finish({ id, token, ...ended }, moment);
	}

	/** Ends a job with FAILURE. False like `succeed`. */
	fail(id: string, reason: string, moment: Moment, token: Token = null): boolean {
		const ended = { status: 'FAILURE', outcome: null, bytes: 0, reason };
		return this.#finish({ id, token, ...ended }, moment);
	}

	#finish(row: Record<string, SQLInputValue>, { nowMs, ageMs }: Moment): boolean {
		return this.#statements.finish.run({ ...row, now: nowMs, age: ageMs }).changes === 1;
	}

	/** Removes rows and their uses of uploads, not the files. */
	remove(ids: readonly string[]): void {
		inOneTransaction(this.database, () => {
			for (const id of ids) {
				this.#statements.remove.run(id);
				this.#statements.removeUses.run(id);
			}
		});
	}
}

/** Writes all of something or nothing. */
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
