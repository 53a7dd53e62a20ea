import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

const TABLES = `
	CREATE TABLE IF NOT EXISTS jobs (
		sequence INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE,
		owner_id TEXT NOT NULL,
		status TEXT NOT NULL,
		created_at_ms INTEGER NOT NULL,
		updated_at_ms INTEGER NOT NULL,
		finished_at_ms INTEGER,
		finished_age_ms INTEGER,
		template_id INTEGER,
		request TEXT NOT NULL,
		outcome TEXT,
		failure_reason TEXT,
		attempts INTEGER NOT NULL DEFAULT 0,
		bytes INTEGER NOT NULL DEFAULT 0
	);
	CREATE TABLE IF NOT EXISTS uploads (
		id TEXT PRIMARY KEY,
		owner_id TEXT NOT NULL,
		file_name TEXT NOT NULL,
		created_at_ms INTEGER NOT NULL,
		stored_at_ms INTEGER,
		age_ms INTEGER NOT NULL DEFAULT 0,
		bytes INTEGER NOT NULL DEFAULT 0
	);
	CREATE TABLE IF NOT EXISTS upload_uses (
		upload_id TEXT NOT NULL,
		job_id TEXT NOT NULL,
		PRIMARY KEY (upload_id, job_id)
	) WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS uses_by_job ON upload_uses (job_id);
	CREATE TABLE IF NOT EXISTS claims (
		job_id TEXT PRIMARY KEY,
		token TEXT NOT NULL,
		until_ms INTEGER NOT NULL
	);
	CREATE TABLE IF NOT EXISTS front (
		place INTEGER PRIMARY KEY CHECK (place = 1),
		facts TEXT NOT NULL
	);
	CREATE TABLE IF NOT EXISTS age (
		place INTEGER PRIMARY KEY CHECK (place = 1),
		age_ms INTEGER NOT NULL,
		real_ms INTEGER NOT NULL
	);
`;

/** Created after the upgrade has added the columns they need. */
const INDEXES = `
	DROP INDEX IF EXISTS jobs_by_template;
	DROP INDEX IF EXISTS jobs_by_end;
	CREATE INDEX IF NOT EXISTS jobs_by_template_age ON jobs (template_id, finished_age_ms);
	CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (finished_age_ms);
	CREATE INDEX IF NOT EXISTS jobs_by_owner ON jobs (owner_id, finished_at_ms);
	CREATE INDEX IF NOT EXISTS uploads_by_age ON uploads (age_ms);
	CREATE INDEX IF NOT EXISTS uploads_by_owner ON uploads (owner_id);
`;

/** Columns that tables of earlier versions lack. */
const LATER_COLUMNS = [
	['jobs', 'attempts', 'INTEGER NOT NULL DEFAULT 0'],
	['jobs', 'bytes', 'INTEGER NOT NULL DEFAULT 0'],
	['jobs', 'finished_age_ms', 'INTEGER'],
	['uploads', 'age_ms', 'INTEGER NOT NULL DEFAULT 0'],
	['uploads', 'bytes', 'INTEGER NOT NULL DEFAULT 0'],
] as const;

/** Upgrades tables of an earlier version. The retention of what they hold starts now. */
function upgrade(database: DatabaseSync): void {
	const columnsOf = (table: string) =>
		new Set(
			database
				.prepare(`PRAGMA table_info(${table})`)
				.all()
				.map(({ name }) => name),
		);
	for (const [table, column, type] of LATER_COLUMNS) {
		if (columnsOf(table).has(column)) continue;
		database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
		if (column !== 'finished_age_ms') continue;
		database.exec('UPDATE jobs SET finished_age_ms = 0 WHERE finished_at_ms IS NOT NULL');
	}
	if (columnsOf('jobs').has('upload_ids')) {
		database.exec(`INSERT OR IGNORE INTO upload_uses SELECT json_each.value, jobs.id
			FROM jobs, json_each(jobs.upload_ids); ALTER TABLE jobs DROP COLUMN upload_ids`);
	}
	database.exec(INDEXES);
}

/** Real milliseconds to wait for another process's write; each write is one short statement. */
const BUSY_TIMEOUT_MS = 5_000;

/** Real milliseconds to keep trying to open a database that other processes are opening. */
const OPENING_PATIENCE_MS = 3_000;

/**
 * Opens the database of a storage folder and locks it for this process, because two services on one
 * folder would run the same edits. The lock ends with the process, even after `kill -9`.
 *
 * @throws Error when another service uses the folder.
 */
export function openDatabase(path: string): DatabaseSync {
	try {
		return open(path, 'PRAGMA locking_mode = EXCLUSIVE;', 0);
	} catch (error) {
		throw isLocked(error) ? inUse(path) : error;
	}
}

/**
 * Opens the database for several processes, which divide the edits by claims. They must be on one
 * machine: SQLite keeps the index of its write-ahead log in shared memory.
 *
 * @throws Error when a service without `--queue` is using the folder.
 */
export async function openSharedDatabase(path: string): Promise<DatabaseSync> {
	const endMs = Date.now() + OPENING_PATIENCE_MS;
	for (;;) {
		try {
			return open(path, '', BUSY_TIMEOUT_MS);
		} catch (error) {
			// Switching to a write-ahead log ignores the busy timeout, and another process may be doing it.
			if (!isLocked(error)) throw error;
			if (Date.now() > endMs) throw inUse(path);
		}
		await wait(50);
	}
}

/**
 * Takes an exclusive lock by means of a separate database. Closing that database, or the end of the
 * process, releases it.
 * @throws Error when another process holds the lock.
 */
export function lockForOne(path: string): DatabaseSync {
	const database = new DatabaseSync(path);
	try {
		database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
	} catch (error) {
		database.close();
		throw isLocked(error) ? inUse(path) : error;
	}
	return database;
}

function open(path: string, locking: string, timeout: number): DatabaseSync {
	const database = new DatabaseSync(path, { timeout });
	try {
		database.exec(`${locking} PRAGMA journal_mode = WAL;`);
		// FULL: a commit is on disk when it returns, so accepted edits survive a power cut.
		database.exec(`PRAGMA synchronous = FULL; BEGIN IMMEDIATE; ${TABLES}`);
		upgrade(database);
		database.exec('COMMIT');
	} catch (error) {
		database.close();
		throw error;
	}
	chmodSync(path, 0o600);
	return database;
}

function isLocked(error: unknown): boolean {
	return error instanceof Error && error.message.includes('locked');
}

function inUse(path: string): Error {
	return new Error(`Another local service is using ${path}; choose another --storage folder`);
}
