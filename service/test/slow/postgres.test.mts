import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sql } from 'kysely';

import { Claims } from '../../store/claims.mts';
import type { Database } from '../../store/database.mts';
import type { StoredEdit } from '../../store/edit.mts';
import { EditStore } from '../../store/editStore.mts';
import { BYTES_SUITE } from '../support/bytesSuite.mts';
import { execute, postgresOf } from '../support/databases.mts';
import { addEdit, OUTCOME } from '../support/rows.mts';
import { SEARCH_SUITE } from '../support/searchSuite.mts';
import { SHARING_SUITE } from '../support/sharingSuite.mts';
import { STORE_SUITE } from '../support/storeSuite.mts';
import { runSuite } from '../support/suite.mts';
import { eventually } from '../../../testkit/time/eventually.mts';
import { postgresServer } from '../../../testkit/process/postgresServer.mts';

await using postgres = await postgresServer();
const open = postgresOf(postgres);

for (const suite of [STORE_SUITE, SEARCH_SUITE, BYTES_SUITE, SHARING_SUITE]) {
	await runSuite('PostgreSQL', () => open, suite);
}

/** Returns the database, and runs `work` before each transaction commits. */
function beforeCommits(database: Database, work: () => Promise<void>): Database {
	const transaction: Database['transaction'] = (statements) =>
		database.transaction(async (tables) => {
			const result = await statements(tables);
			await work();
			return result;
		});
	return { ...database, transaction };
}

await test('PostgreSQL: nobody takes over an edit while its holder ends it', async () => {
	await using one = await open('ending');
	await using other = await open('ending');
	await addEdit(new EditStore(one), 'a');
	const held = await new Claims(one, 1).claim('a');
	const blocked = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
	let seen = Promise.resolve<StoredEdit | undefined>(undefined);
	const slow = beforeCommits(one, async () => {
		let isTaken = false;
		seen = eventually('the claim expires', () => new Claims(other, 60_000).claim('a')).then(() => {
			isTaken = true;
			return new EditStore(other).find('a');
		});
		await eventually(
			'the other process waits',
			async () => isTaken || (await execute(one, blocked)).length > 0,
		);
	});
	const moment = { nowMs: 5, ageMs: 5 };
	assert.ok(await new EditStore(slow).succeed('a', OUTCOME, moment, held?.token));
	assert.equal((await seen)?.status, 'SUCCESS');
});

await test('PostgreSQL: only one process at a time does locked work', async () => {
	await using holder = await open('lock');
	await using other = await open('lock');
	await using third = await open('lock');
	let done = 0;
	const end = Promise.withResolvers<undefined>();
	const first = holder.ifFree(async () => {
		done++;
		await end.promise;
	});
	while (done === 0) await other.run((tables) => sql`SELECT 1`.execute(tables));
	const count = () => {
		done++;
		return Promise.resolve();
	};
	for (const database of [other, third]) await database.ifFree(count);
	assert.equal(done, 1);
	end.resolve(undefined);
	await first;
	await other.ifFree(count);
	assert.equal(done, 2);
});
