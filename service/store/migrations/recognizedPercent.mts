import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How much of an edit's speech is recognized. */
export const recognizedPercent: Migration = {
	up: async (tables: Kysely<unknown>) => {
		await tables.schema.alterTable('edits').addColumn('recognized_percent', 'bigint').execute();
	},
};
