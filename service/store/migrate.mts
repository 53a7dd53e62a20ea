import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';

import { MIGRATIONS } from './migrations/all.mts';
import type { Tables } from './schema.mts';

/**
 * Brings the tables to this version's state. There is no way back.
 * @throws Error, also for a database that a newer version has changed.
 */
export async function migrate(tables: Kysely<Tables>): Promise<void> {
	const provider = { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) };
	const { error } = await new Migrator({ db: tables, provider }).migrateToLatest();
	if (!(error instanceof Error)) return;
	// Kysely's words for migrations that this version does not have.
	if (!error.message.startsWith('corrupted migrations')) throw error;
	throw new Error(
		'A newer version of the service has changed this database. Start that version, or go back: ' +
			'stop all processes and restore the backup from before the upgrade (service/README.md)',
		{ cause: error },
	);
}
