import assert from 'node:assert/strict';

import { sql } from 'kysely';

import { EditStore } from '../../../service/store/editStore.mts';
import { execute, type OpenDatabase } from './databases.mts';
import type { Suite } from './suite.mts';

/** How every database gets its tables. */
export const MIGRATION_SUITE: Suite<OpenDatabase> = {
	'processes that start together migrate once': async (open) => {
		const databases = await Promise.all(Array.from({ length: 4 }, () => open('together')));
		const rows = await execute(databases[0], sql`SELECT name FROM kysely_migration ORDER BY name`);
		assert.deepEqual(
			rows.map(({ name }) => name),
			['0001 first tables', '0002 secrets'],
		);
		await Promise.all(databases.map((database) => database.close()));
	},

	'keeps working on the tables of a newer version': async (open) => {
		const newer = await open('newer');
		await execute(newer, sql`ALTER TABLE jobs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0`);
		await execute(newer, sql`INSERT INTO kysely_migration VALUES ('9999 priority', '2030')`);
		const older = await open('newer');
		assert.deepEqual(await new EditStore(older).unfinishedIds(), []);
		await Promise.all([newer.close(), older.close()]);
	},
};
