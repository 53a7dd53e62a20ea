import { join } from 'node:path';

import type { RawBuilder } from 'kysely';

import type { Database } from '../../store/database.mts';
import { openPostgres } from '../../store/postgres.mts';
import { openSharedSqlite } from '../../store/sqlite.mts';
import type { PostgresServer } from '../../../testkit/process/postgresServer.mts';

/** Opens the database with a name, as each process that shares it does. */
export type OpenDatabase = (name: string) => Promise<Database & AsyncDisposable>;

const closing = (database: Database) =>
	Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });

export function sqliteIn(folder: string): OpenDatabase {
	return async (name) => closing(await openSharedSqlite(join(folder, `${name}.sqlite`)));
}

export function postgresOf(server: PostgresServer): OpenDatabase {
	return async (name) => closing(await openPostgres(server.urlOf(name), () => undefined));
}

/** Runs a statement on the service's database and returns its rows. */
export async function execute(
	database: Database,
	statement: RawBuilder<unknown>,
): Promise<Record<string, unknown>[]> {
	const { rows } = await database.run((tables) => statement.execute(tables));
	return rows.map((row) => ({ ...Object(row) }) as Record<string, unknown>);
}
