import { PostgresAdapter, sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';

import type { Tables } from './schema.mts';

/** The database of the service, SQLite or PostgreSQL. */
export interface Database {
	/** Runs work that only one process may do at a time, or does nothing while another process runs it. */
	ifFree(work: () => Promise<void>): Promise<void>;
	/**
	 * Runs one statement and returns its result. It may run twice: with PostgreSQL, a statement whose
	 * connection broke is repeated, because the service does not know whether it took effect.
	 * @throws DatabaseTrouble when the database fails or stays unreachable; Error for a value it refuses.
	 */
	run<T>(statement: (tables: Kysely<Tables>) => Promise<T>): Promise<T>;
	/** Runs several statements as one, otherwise like `run`. */
	transaction<T>(statements: (tables: Transaction<Tables>) => Promise<T>): Promise<T>;
	/** Milliseconds since 1970 on the database's clock, for use in a statement. */
	readonly clock: RawBuilder<number>;
	/** Milliseconds since 1970 on the database's clock, as far as this process knows it. */
	nowMs(): number;
	close(): Promise<void>;
}

/** Whether statements of several processes run at the same time. SQLite has one writer at a time. */
export function isPostgres(tables: Kysely<Tables>): boolean {
	return tables.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Waits until no other transaction has locked this owner. With SQLite, the transaction must begin with
 * a write instead: that makes it the only writer.
 */
export async function lockOwner(tables: Transaction<Tables>, ownerId: string): Promise<void> {
	if (!isPostgres(tables)) return;
	await sql`SELECT pg_advisory_xact_lock(hashtextextended(${ownerId}, 0))`.execute(tables);
}

/** Runs a statement that returns rows with an id, and returns the ids. */
export async function idsOf(
	database: Database,
	statement: (tables: Kysely<Tables>) => { execute(): Promise<{ id: string }[]> },
): Promise<string[]> {
	return (await database.run((tables) => statement(tables).execute())).map(({ id }) => id);
}

/** The database failed, not the edit. The statement may or may not have taken effect. */
export class DatabaseTrouble extends Error {
	override readonly name = 'DatabaseTrouble';
}
