import type { Migration } from 'kysely/migration';

/** Where processes without a common folder keep the secrets that they share. */
export const secrets: Migration = {
	up: async (tables) => {
		await tables.schema
			.createTable('secrets')
			.addColumn('place', 'integer', (column) => column.primaryKey())
			.addColumn('facts', 'text', (column) => column.notNull())
			.execute();
	},
};
