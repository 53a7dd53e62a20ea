import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

import { Kysely, sql } from 'kysely';

import { messageOf } from '../shared/failures.mts';
import { DatabaseTrouble, type Database } from './database.mts';
import { migrate } from './migrate.mts';
import type { Tables } from './schema.mts';
import { dialectOf } from './sqliteDialect.mts';

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
export async function openSqlite(path: string): Promise<Database> {
	try {
		return await open(path, 'PRAGMA locking_mode = EXCLUSIVE;', 0);
	} catch (error) {
		throw isLocked(error) ? inUse(path) : cannotOpen(path, error);
	}
}

/**
 * Opens the database for several processes, which divide the edits by claims. They must be on one
 * machine: SQLite keeps the index of its write-ahead log in shared memory.
 *
 * @throws Error when a service without `--queue` is using the folder.
 */
export async function openSharedSqlite(path: string): Promise<Database> {
	const endMs = performance.now() + OPENING_PATIENCE_MS;
	for (;;) {
		try {
			return await open(path, '', BUSY_TIMEOUT_MS);
		} catch (error) {
			// Another process is migrating, or switching to a write-ahead log.
			if (!isLocked(error)) throw cannotOpen(path, error);
			if (performance.now() > endMs) throw inUse(path);
		}
		await wait(50);
	}
}

/**
 * Lets only this process answer requests, by locking a separate database. Closing that database, or
 * the end of the process, releases the lock.
 * @throws Error when another process holds it.
 */
export function lockFront(path: string): DatabaseSync {
	let database: DatabaseSync;
	try {
		database = new DatabaseSync(path);
	} catch (error) {
		throw cannotOpen(path, error);
	}
	try {
		database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
	} catch (error) {
		database.close();
		throw isLocked(error) ? inUse(path) : cannotOpen(path, error);
	}
	return database;
}

async function open(path: string, locking: string, busyTimeoutMs: number): Promise<Database> {
	const file = new DatabaseSync(path, { timeout: 0 });
	try {
		// FULL: a commit is on disk when it returns, so accepted edits survive a power cut.
		file.exec(`${locking} PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`);
		const tables = new Kysely<Tables>({ dialect: dialectOf(file) });
		// Kysely begins no transaction here. With this one, a process that dies leaves nothing half done,
		// and only one of several that start together migrates.
		file.exec('BEGIN IMMEDIATE');
		await migrate(tables);
		file.exec(`COMMIT; PRAGMA busy_timeout = ${busyTimeoutMs};`);
		chmodSync(path, 0o600);
		return databaseOf(tables, path);
	} catch (error) {
		file.close();
		throw error;
	}
}

/** The processes that share an SQLite file are on one machine, so its clock is that machine's. */
function databaseOf(tables: Kysely<Tables>, path: string): Database {
	return {
		clock: sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
		nowMs: () => Date.now(),
		run: (statement) => unlessInTrouble(path, statement(tables)),
		transaction: (statements) => unlessInTrouble(path, tables.transaction().execute(statements)),
		// Only the process that answers requests calls this, and a folder has only one.
		ifFree: (work) => work(),
		close: () => tables.destroy(),
	};
}

/** SQLite's codes for a file that the disk does not read or write, and for one with damaged pages. */
const FILE_CODES: ReadonlySet<number> = new Set([10, 11, 26]);

/** @throws DatabaseTrouble when another process holds its lock too long, or the file is damaged. */
async function unlessInTrouble<T>(path: string, result: Promise<T>): Promise<T> {
	try {
		return await result;
	} catch (error) {
		const isTrouble = isLocked(error) || isOfFile(error);
		throw isTrouble ? new DatabaseTrouble(`${path}: ${messageOf(error)}`, { cause: error }) : error;
	}
}

function isOfFile(error: unknown): boolean {
	if (!(error instanceof Error) || !('errcode' in error)) return false;
	// The upper bits say more about the same.
	return FILE_CODES.has(Number(error.errcode) & 0xff);
}

function isLocked(error: unknown): boolean {
	return error instanceof Error && error.message.includes('locked');
}

function inUse(path: string): Error {
	return new Error(`Another local service is using ${path}; choose another --storage folder`);
}

/** SQLite's own messages do not name the file. */
function cannotOpen(path: string, cause: unknown): Error {
	return new Error(`${path} cannot be opened: ${messageOf(cause)}`, { cause });
}
