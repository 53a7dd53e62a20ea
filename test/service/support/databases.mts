import { join } from 'node:path';

import type { RawBuilder } from 'kysely';

import type { Database } from '../../../service/store/database.mts';
import { openPostgres } from '../../../service/store/postgres.mts';
import { openSharedSqlite } from '../../../service/store/sqlite.mts';
import type { PostgresServer } from '../../support/postgresServer.mts';

/** A kind of database. `open` opens the database with a name, as each process that shares it does. */
export interface DatabaseKind {
	kind: 'SQLite' | 'PostgreSQL';
	open: (name: string) => Promise<Database>;
}

/** Returns both kinds of databases that processes can share, for suites that both must pass. */
export function sharedDatabases(folder: string, postgres: PostgresServer): DatabaseKind[] {
	return [
		{ kind: 'SQLite', open: (name) => openSharedSqlite(join(folder, `${name}.sqlite`)) },
		{ kind: 'PostgreSQL', open: (name) => openPostgres(postgres.urlOf(name), () => undefined) },
	];
}

/** Runs a statement on the service's database and returns its rows. */
export async function execute(
	database: Database,
	statement: RawBuilder<unknown>,
): Promise<Record<string, unknown>[]> {
	const { rows } = await database.run((tables) => statement.execute(tables));
	return rows.map((row) => ({ ...Object(row) }) as Record<string, unknown>);
}
