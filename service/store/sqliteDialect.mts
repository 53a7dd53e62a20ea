import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';

import { messageOf } from '../shared/failures.mts';

/** Adapts a `node:sqlite` statement to the better-sqlite3 interface that Kysely expects. */
function shown(statement: StatementSync): SqliteStatement {
	return {
		reader: statement.columns().length > 0,
		all: (parameters) => statement.all(...parameters.map(inputOf)),
		run: (parameters) => statement.run(...parameters.map(inputOf)),
		iterate: (parameters) => statement.iterate(...parameters.map(inputOf)),
	};
}

/** @throws TypeError for a value that no column can store. */
function inputOf(value: unknown): SQLInputValue {
	const isInput = value === null || ['string', 'number', 'bigint'].includes(typeof value);
	if (isInput) return value as SQLInputValue;
	throw new TypeError(`SQLite cannot store a value of type ${typeof value}`);
}

/**
 * Ends the transaction that a failed statement left. On a full disk SQLite has ended it by itself, and the error of
 * a second end would hide why.
 */
function rollback(database: DatabaseSync): void {
	try {
		database.exec('ROLLBACK');
	} catch (error) {
		if (!messageOf(error).includes('no transaction is active')) throw error;
	}
}

/** Lets Kysely use a database of `node:sqlite`. Statements are prepared once. */
export function dialectOf(database: DatabaseSync): SqliteDialect {
	const prepared = new Map<string, SqliteStatement>();
	const shownDatabase: SqliteDatabase = {
		prepare: (sql) => {
			const statement = prepared.get(sql) ?? shown(database.prepare(sql));
			prepared.set(sql, statement);
			if (sql !== 'rollback') return statement;
			const run = () => {
				rollback(database);
				return { changes: 0, lastInsertRowid: 0 };
			};
			return { ...statement, run };
		},
		close: () => {
			database.close();
		},
	};
	return new SqliteDialect({ database: shownDatabase });
}
