import { sql, type Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration';

import { MIGRATIONS } from './migrations/all.mts';
import type { Tables } from './schema.mts';

/**
 * Returns the migrations that a newer version has already run here, as migrations that do nothing. Old
 * processes can keep working during an upgrade, because a migration only adds.
 */
async function migrationsOfNewerVersion(
	tables: Kysely<Tables>,
): Promise<Record<string, Migration>> {
	const done = sql<{ name: string }>`SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)}`;
	try {
		const { rows } = await done.execute(tables);
		return Object.fromEntries(rows.map(({ name }) => [name, { up: () => Promise.resolve() }]));
	} catch {
		// The table does not exist yet, or the migrator fails below with a better reason.
		return {};
	}
}

/** Brings the tables to this version's state. There is no way back. @throws Error */
export async function migrate(tables: Kysely<Tables>, isFirstTry = true): Promise<void> {
	const migrations = { ...(await migrationsOfNewerVersion(tables)), ...MIGRATIONS };
	const provider = { getMigrations: () => Promise.resolve(migrations) };
	const { error } = await new Migrator({ db: tables, provider }).migrateToLatest();
	if (!(error instanceof Error)) return;
	// A process of a newer version has migrated meanwhile.
	if (isFirstTry && error.message.startsWith('corrupted migrations')) await migrate(tables, false);
	else throw error;
}
