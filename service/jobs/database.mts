import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

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
`;

/** Brings the tables of an earlier version up to date. */
function upgrade(database: DatabaseSync): void {
	const columns = database.prepare('PRAGMA table_info(jobs)').all();
	if (columns.some(({ name }) => name === 'attempts')) return;
	database.exec('ALTER TABLE jobs ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0');
}

/**
 * Opens the database of a storage folder.
 *
 * Locked for this process: two services on one folder would work on the same jobs. The lock dies
 * with the process, also with `kill -9`.
 *
 * @throws Error when another service uses the folder.
 */
export function openDatabase(path: string): DatabaseSync {
	const database = new DatabaseSync(path);
	try {
		database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
		database.exec(`PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; ${TABLES} COMMIT;`);
		upgrade(database);
	} catch (error) {
		database.close();
		if (error instanceof Error && error.message.includes('locked')) {
			throw new Error(`Another local service is using ${path}; choose another --storage folder`);
		}
		throw error;
	}
	chmodSync(path, 0o600);
	return database;
}
