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
		template_id INTEGER,
		request TEXT NOT NULL,
		upload_ids TEXT NOT NULL,
		outcome TEXT,
		failure_reason TEXT,
		attempts INTEGER NOT NULL DEFAULT 0
	);
	CREATE INDEX IF NOT EXISTS jobs_by_template ON jobs (template_id, finished_at_ms);
	CREATE INDEX IF NOT EXISTS jobs_by_end ON jobs (finished_at_ms);
	CREATE TABLE IF NOT EXISTS uploads (
		id TEXT PRIMARY KEY,
		owner_id TEXT NOT NULL,
		file_name TEXT NOT NULL,
		created_at_ms INTEGER NOT NULL,
		stored_at_ms INTEGER
	);
	CREATE TABLE IF NOT EXISTS claims (
		job_id TEXT PRIMARY KEY,
		token TEXT NOT NULL,
		until_ms INTEGER NOT NULL
	);
	CREATE TABLE IF NOT EXISTS front (
		place INTEGER PRIMARY KEY CHECK (place = 1),
		facts TEXT NOT NULL
	);
`;

/** Brings the tables of an earlier version up to date. */
function upgrade(database: DatabaseSync): void {
	const columns = database.prepare('PRAGMA table_info(jobs)').all();
	if (columns.some(({ name }) => name === 'attempts')) return;
	database.exec('ALTER TABLE jobs ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0');
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
		database.exec(`PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; ${TABLES}`);
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
