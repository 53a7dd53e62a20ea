import { PostgresAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

import { POSTGRES_TRIGGERS, SQLITE_TRIGGERS } from './storedBytes.mts';

/** The type of an auto-incrementing key in each database. */
const SEQUENCE = { postgres: 'BIGSERIAL PRIMARY KEY', sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT' };

/** The tables of edits and of what they use. */
const editTables = (sequence: string): string[] => [
	`CREATE TABLE edits (
		sequence ${sequence},
		id TEXT NOT NULL UNIQUE,
		owner_id TEXT NOT NULL,
		status TEXT NOT NULL,
		created_at_ms BIGINT NOT NULL,
		updated_at_ms BIGINT NOT NULL,
		started_at_ms BIGINT,
		finished_at_ms BIGINT,
		finished_age_ms BIGINT,
		template_id BIGINT,
		names TEXT NOT NULL,
		request TEXT NOT NULL,
		outcome TEXT,
		failure_reason TEXT,
		attempts BIGINT NOT NULL DEFAULT 0,
		bytes BIGINT NOT NULL DEFAULT 0,
		review TEXT,
		review_until_age_ms BIGINT,
		review_revision BIGINT NOT NULL DEFAULT 0,
		cuts TEXT
	)`,
	`CREATE TABLE uploads (
		id TEXT PRIMARY KEY,
		owner_id TEXT NOT NULL,
		file_name TEXT NOT NULL,
		created_at_ms BIGINT NOT NULL,
		stored_at_ms BIGINT,
		age_ms BIGINT NOT NULL DEFAULT 0,
		bytes BIGINT NOT NULL DEFAULT 0
	)`,
	`CREATE TABLE upload_uses (
		upload_id TEXT NOT NULL,
		edit_id TEXT NOT NULL,
		PRIMARY KEY (upload_id, edit_id)
	)`,
	`CREATE TABLE claims (
		edit_id TEXT PRIMARY KEY,
		token TEXT NOT NULL,
		until_ms BIGINT NOT NULL
	)`,
];

/** The tables of what the service counts, knows and shares. */
const OTHER_TABLES = [
	`CREATE TABLE totals (
		status TEXT NOT NULL,
		failed_in TEXT NOT NULL,
		kind TEXT NOT NULL,
		edits BIGINT NOT NULL,
		wait_ms BIGINT NOT NULL,
		run_ms BIGINT NOT NULL,
		recording_ms BIGINT NOT NULL,
		PRIMARY KEY (status, failed_in, kind)
	)`,
	'CREATE TABLE stored_bytes (owner_id TEXT PRIMARY KEY, bytes BIGINT NOT NULL)',
	'CREATE TABLE front (place INTEGER PRIMARY KEY, facts TEXT NOT NULL)',
	// Where processes without a common folder keep the secrets that they share.
	'CREATE TABLE secrets (place INTEGER PRIMARY KEY, facts TEXT NOT NULL)',
	`CREATE TABLE unknown_files (
		kind TEXT NOT NULL,
		id TEXT NOT NULL,
		seen_age_ms BIGINT NOT NULL,
		PRIMARY KEY (kind, id)
	)`,
	`CREATE TABLE age (
		place INTEGER PRIMARY KEY,
		age_ms BIGINT NOT NULL,
		real_ms BIGINT NOT NULL
	)`,
];

const INDEXES = [
	'CREATE INDEX uses_by_edit ON upload_uses (edit_id)',
	'CREATE INDEX edits_by_age ON edits (finished_age_ms)',
	'CREATE INDEX edits_by_owner ON edits (owner_id, sequence)',
	// Partial ones stay small: nearly all edits have ended, without a review or a template.
	'CREATE INDEX edits_unfinished ON edits (owner_id, sequence) WHERE finished_at_ms IS NULL',
	'CREATE INDEX edits_by_review ON edits (review_until_age_ms) WHERE review_until_age_ms IS NOT NULL',
	`CREATE INDEX edits_by_template ON edits (template_id, owner_id, status, finished_age_ms, sequence)
		WHERE template_id IS NOT NULL`,
	// Whole, so that the figures of /metrics need no row: a row may be large.
	'CREATE INDEX edits_by_status ON edits (status, created_at_ms, started_at_ms, bytes, review_until_age_ms)',
	'CREATE INDEX uploads_by_age ON uploads (age_ms)',
	'CREATE INDEX uploads_by_bytes ON uploads (bytes)',
];

/** The tables of version 0.1. */
export const firstTables: Migration = {
	up: async (tables: Kysely<unknown>) => {
		const isPostgres = tables.getExecutor().adapter instanceof PostgresAdapter;
		const sequence = isPostgres ? SEQUENCE.postgres : SEQUENCE.sqlite;
		const triggers = isPostgres ? POSTGRES_TRIGGERS : SQLITE_TRIGGERS;
		for (const statement of [...editTables(sequence), ...OTHER_TABLES, ...INDEXES, ...triggers]) {
			await sql.raw(statement).execute(tables);
		}
	},
};
