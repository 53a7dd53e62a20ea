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

/** After the columns of an earlier version are there. */
const INDEXES = `
	DROP INDEX IF EXISTS jobs_by_template;
	DROP INDEX IF EXISTS jobs_by_end;
	CREATE INDEX IF NOT EXISTS jobs_by_template_age ON jobs (template_id, finished_age_ms);
	CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (finished_age_ms);
	CREATE INDEX IF NOT EXISTS jobs_by_owner ON jobs (owner_id, finished_at_ms);
	CREATE INDEX IF NOT EXISTS uploads_by_age ON uploads (age_ms);
	CREATE INDEX IF NOT EXISTS uploads_by_owner ON uploads (owner_id);
`;

/** Columns that tables of an earlier version lack. */
const LATER_COLUMNS = [
	['jobs', 'attempts', 'INTEGER NOT NULL DEFAULT 0'],
	['jobs', 'bytes', 'INTEGER NOT NULL DEFAULT 0'],
	['jobs', 'finished_age_ms', 'INTEGER'],
	['uploads', 'age_ms', 'INTEGER NOT NULL DEFAULT 0'],
	['uploads', 'bytes', 'INTEGER NOT NULL DEFAULT 0'],
] as const;

/** Brings the tables of an earlier version up to date: what is in them begins its retention now. */
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

/** How long a process waits for another one's write, real milliseconds; each is one short statement. */
const BUSY_TIMEOUT_MS = 5_000;

/** How long a process tries to open a database that others are just opening, real milliseconds. */
const OPENING_PATIENCE_MS = 3_000;

/**
 * Opens the database of a storage folder.
 *
 * Locked for this process: two services on one folder would work on the same jobs. The lock dies
 * with the process, also with `kill -9`.
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
 * Opens the database for several processes of one machine: those that work on its jobs take care of
 * each other by claims. (The index of a write-ahead log lies in memory that they share, so on
 * another machine it would be another one.)
 *
 * @throws Error when a service that wants the folder for itself uses it.
 */
export async function openSharedDatabase(path: string): Promise<DatabaseSync> {
	const endMs = Date.now() + OPENING_PATIENCE_MS;
	for (;;) {
		try {
			return open(path, '', BUSY_TIMEOUT_MS);
		} catch (error) {
			// Going over to a write-ahead log waits for nobody, and another process may do it just now.
			if (!isLocked(error)) throw error;
			if (Date.now() > endMs) throw inUse(path);
		}
		await wait(50);
	}
}

/**
 * Takes a lock that one process can have, by a database of its own, until that is closed. It dies
 * with the process.
 * @throws Error when another process has it.
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
		// What was accepted outlives a power cut: each commit is on the disk when it returns.
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
