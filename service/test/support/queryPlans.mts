import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

import { createQueryId, type Kysely, type KyselyPlugin, type RootOperationNode } from 'kysely';

import type { Database } from '../../store/database.mts';
import type { Tables } from '../../store/schema.mts';

/** An SQLite database, and how it finds the rows of each statement that it is given. */
export interface WatchedDatabase {
	readonly database: Database;
	/** Returns the steps of SQLite's plans so far, each with its statement. */
	readonly steps: () => Promise<string[]>;
}

/** Watches the statements that the stores send to an SQLite database. */
export function watched(database: Database, path: string): WatchedDatabase {
	const nodes: RootOperationNode[] = [];
	const plugin: KyselyPlugin = {
		transformQuery: ({ node }) => {
			nodes.push(node);
			return node;
		},
		transformResult: ({ result }) => Promise.resolve(result),
	};
	return {
		database: {
			...database,
			run: (statement) => database.run((tables) => statement(tables.withPlugin(plugin))),
			transaction: (statements) =>
				database.transaction((tables) => statements(tables.withPlugin(plugin))),
		},
		steps: () => database.run((tables) => Promise.resolve(plansOf(nodes, tables, path))),
	};
}

function plansOf(nodes: readonly RootOperationNode[], tables: Kysely<Tables>, path: string) {
	using file = new DatabaseSync(path, { readOnly: true });
	return nodes.flatMap((node) => {
		const { sql, parameters } = tables.getExecutor().compileQuery(node, createQueryId());
		const steps = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as SQLInputValue[]));
		return steps.map(({ detail }) => `${String(detail)} | ${sql}`);
	});
}
