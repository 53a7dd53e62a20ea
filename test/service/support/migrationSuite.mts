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
			['0001 first tables'],
		);
		await Promise.all(databases.map((database) => database.close()));
	},

	'refuses a database that a newer version has changed, while a process that runs goes on': async (
		open,
	) => {
		const running = await open('newer');
		await execute(running, sql`INSERT INTO kysely_migration VALUES ('9999 priority', '2030')`);
		await assert.rejects(open('newer'), /A newer version .* restore the backup/);
		assert.deepEqual(await new EditStore(running).unfinishedIds(), []);
		await running.close();
	},
};
