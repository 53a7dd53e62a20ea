import { PostgresAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

import { upgradeOldSqlite } from './oldSqlite.mts';

/** The type of an auto-incrementing key in each database. */
const SEQUENCE = { postgres: 'BIGSERIAL PRIMARY KEY', sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT' };

const tablesWith = (sequence: string): string[] => [
	`CREATE TABLE IF NOT EXISTS jobs (
		sequence ${sequence},
		id TEXT NOT NULL UNIQUE,
		owner_id TEXT NOT NULL,
		status TEXT NOT NULL,
		created_at_ms BIGINT NOT NULL,
		updated_at_ms BIGINT NOT NULL,
		finished_at_ms BIGINT,
		finished_age_ms BIGINT,
		template_id BIGINT,
		request TEXT NOT NULL,
		outcome TEXT,
		failure_reason TEXT,
		attempts BIGINT NOT NULL DEFAULT 0,
		bytes BIGINT NOT NULL DEFAULT 0
	)`,
	`CREATE TABLE IF NOT EXISTS uploads (
		id TEXT PRIMARY KEY,
		owner_id TEXT NOT NULL,
		file_name TEXT NOT NULL,
		created_at_ms BIGINT NOT NULL,
		stored_at_ms BIGINT,
		age_ms BIGINT NOT NULL DEFAULT 0,
		bytes BIGINT NOT NULL DEFAULT 0
	)`,
	`CREATE TABLE IF NOT EXISTS upload_uses (
		upload_id TEXT NOT NULL,
		job_id TEXT NOT NULL,
		PRIMARY KEY (upload_id, job_id)
	)`,
	`CREATE TABLE IF NOT EXISTS claims (
		job_id TEXT PRIMARY KEY,
		token TEXT NOT NULL,
		until_ms BIGINT NOT NULL
	)`,
	'CREATE TABLE IF NOT EXISTS front (place INTEGER PRIMARY KEY, facts TEXT NOT NULL)',
	`CREATE TABLE IF NOT EXISTS age (
		place INTEGER PRIMARY KEY,
		age_ms BIGINT NOT NULL,
		real_ms BIGINT NOT NULL
	)`,
];

/** Created after the upgrade has added the columns they need. */
const INDEXES = [
	'DROP INDEX IF EXISTS jobs_by_template',
	'DROP INDEX IF EXISTS jobs_by_end',
	'CREATE INDEX IF NOT EXISTS uses_by_job ON upload_uses (job_id)',
	'CREATE INDEX IF NOT EXISTS jobs_by_template_age ON jobs (template_id, finished_age_ms)',
	'CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (finished_age_ms)',
	'CREATE INDEX IF NOT EXISTS jobs_by_owner ON jobs (owner_id, finished_at_ms)',
	'CREATE INDEX IF NOT EXISTS uploads_by_age ON uploads (age_ms)',
	'CREATE INDEX IF NOT EXISTS uploads_by_owner ON uploads (owner_id)',
];

/** The tables as they were before migrations had names, or new ones where there are none. */
export const firstTables: Migration = {
	up: async (tables: Kysely<unknown>) => {
		const isPostgres = tables.getExecutor().adapter instanceof PostgresAdapter;
		const run = async (statements: readonly string[]) => {
			for (const statement of statements) await sql.raw(statement).execute(tables);
		};
		await run(tablesWith(isPostgres ? SEQUENCE.postgres : SEQUENCE.sqlite));
		if (!isPostgres) await upgradeOldSqlite(tables);
		await run(INDEXES);
	},
};
