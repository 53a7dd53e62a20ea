import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

import type { KnownEditStatus } from '../contract.mts';
import { jobSchema, uploadIdsOf, type Job, type JobOutcome } from './job.mts';

type Row = Record<string, SQLOutputValue>;

/** What a new job brings with it; the rest of its row follows from that. */
export type NewJob = Pick<Job, 'id' | 'ownerId' | 'createdAtMs' | 'templateId' | 'request'>;

function jsonOrNull(text: SQLOutputValue | undefined): unknown {
	return typeof text === 'string' ? JSON.parse(text) : null;
}

function jobOf(row: Row): Job {
	return jobSchema.parse({
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
function readableJobsOf(rows: readonly Row[]): Job[] {
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
			(id, owner_id, status, created_at_ms, updated_at_ms, template_id, request, upload_ids)
			VALUES (?, ?, 'PENDING', ?, ?, ?, ?, ?)`),
		find: database.prepare('SELECT * FROM jobs WHERE id = ?'),
		newest: database.prepare('SELECT * FROM jobs ORDER BY sequence DESC LIMIT ?'),
		unfinished: database.prepare(
			'SELECT id FROM jobs WHERE finished_at_ms IS NULL ORDER BY sequence',
		),
		completed: database.prepare(`SELECT * FROM jobs WHERE template_id = ? AND owner_id = ?
			AND status = 'SUCCESS' AND finished_at_ms >= ? ORDER BY finished_at_ms DESC, sequence DESC`),
		finishedBefore: database.prepare('SELECT id FROM jobs WHERE finished_at_ms < ?'),
		ids: database.prepare('SELECT id FROM jobs'),
		setStatus: database.prepare(
			'UPDATE jobs SET status = ?, updated_at_ms = ? WHERE id = ? AND finished_at_ms IS NULL',
		),
		countAttempt: database.prepare(
			'UPDATE jobs SET attempts = attempts + 1 WHERE id = ? RETURNING attempts',
		),
		takeBackAttempt: database.prepare('UPDATE jobs SET attempts = attempts - 1 WHERE id = ?'),
		finish: database.prepare(`UPDATE jobs SET status = ?, updated_at_ms = ?, finished_at_ms = ?,
			outcome = ?, failure_reason = ? WHERE id = ?`),
		remove: database.prepare('DELETE FROM jobs WHERE id = ?'),
		newestTime: database.prepare('SELECT MAX(updated_at_ms) AS newest FROM jobs'),
	};
}

/** The table of jobs. Times in milliseconds on the service's clock. */
export class JobStore {
	readonly #statements: ReturnType<typeof prepare>;

	constructor(database: DatabaseSync) {
		this.#statements = prepare(database);
	}

	/** Adds a job with status PENDING. */
	add(job: NewJob): void {
		this.#statements.insert.run(
			job.id,
			job.ownerId,
			job.createdAtMs,
			job.createdAtMs,
			job.templateId,
			JSON.stringify(job.request),
			JSON.stringify(uploadIdsOf(job)),
		);
	}

	/** The job with this id, whoever owns it. */
	find(id: string): Job | undefined {
		const row = this.#statements.find.get(id);
		return row === undefined ? undefined : jobOf(row);
	}

	/** Whether there is a job with this id, also one that cannot be read. */
	has(id: string): boolean {
		return this.#statements.find.get(id) !== undefined;
	}

	/** The newest jobs first. */
	newest(count: number): Job[] {
		return readableJobsOf(this.#statements.newest.all(count));
	}

	/** Ids of the jobs that are queued or were being worked on, oldest first. */
	unfinishedIds(): string[] {
		return this.#statements.unfinished.all().map((row) => String(row.id));
	}

	/** Ids of all jobs. */
	ids(): Set<string> {
		return new Set(this.#statements.ids.all().map((row) => String(row.id)));
	}

	/** An owner's successful jobs of a template that ended at `sinceMs` or later, newest first. */
	completed(templateId: number, ownerId: string, sinceMs: number): Job[] {
		return readableJobsOf(this.#statements.completed.all(templateId, ownerId, sinceMs));
	}

	/** Ids of the jobs that ended before a time. */
	idsFinishedBefore(timeMs: number): string[] {
		return this.#statements.finishedBefore.all(timeMs).map((row) => String(row.id));
	}

	/** Counts that work on a job begins, and returns how often it has begun so far. */
	countAttempt(id: string): number {
		return Number(this.#statements.countAttempt.get(id)?.attempts ?? 0);
	}

	/** Counts one beginning less. */
	takeBackAttempt(id: string): void {
		this.#statements.takeBackAttempt.run(id);
	}

	/** Writes the status of a job that has not ended. */
	setStatus(id: string, status: KnownEditStatus, nowMs: number): void {
		this.#statements.setStatus.run(status, nowMs, id);
	}

	/** Ends a job with SUCCESS; from here on its files are offered. */
	succeed(id: string, outcome: JobOutcome, nowMs: number): void {
		this.#statements.finish.run('SUCCESS', nowMs, nowMs, JSON.stringify(outcome), null, id);
	}

	/** Ends a job with FAILURE. */
	fail(id: string, reason: string, nowMs: number): void {
		this.#statements.finish.run('FAILURE', nowMs, nowMs, null, reason, id);
	}

	/** Removes the row; the files are somebody else's matter. */
	remove(id: string): void {
		this.#statements.remove.run(id);
	}

	/** The newest time in the table, 0 when it is empty. */
	newestTimeMs(): number {
		return Number(this.#statements.newestTime.get()?.newest ?? 0);
	}
}
