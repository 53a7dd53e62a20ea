import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sql } from 'kysely';

import { DatabaseTrouble, type Database } from '../../store/database.mts';
import { EditStore } from '../../store/editStore.mts';
import { openPostgres } from '../../store/postgres.mts';
import { execute } from '../support/databases.mts';
import { newEdit } from '../support/rows.mts';
import { startSilentProxy } from '../support/silentProxy.mts';
import { eventually } from '../../../testkit/time/eventually.mts';
import { postgresServer } from '../../../testkit/process/postgresServer.mts';

await using postgres = await postgresServer();

async function open(name: string, search = '') {
	const log: string[] = [];
	const database = await openPostgres(postgres.urlOf(name) + search, (line) => log.push(line));
	return { database, log, [Symbol.asyncDispose]: () => database.close() };
}

/** Waits until a statement waits for the advisory lock of another session. */
async function blocked(other: Database): Promise<void> {
	await eventually('the statement runs', async () => {
		const waiting = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
		return (await execute(other, waiting)).length > 0;
	});
}

await test('repeats a statement during which the server died, and the process survives', async () => {
	await using one = await open('blocked');
	await using other = await open('blocked');
	const { database, log } = one;
	// The lock dies with the server, so the statement ends when it is repeated.
	await execute(other.database, sql`SELECT pg_advisory_lock(4711)`);
	const slow = execute(database, sql`SELECT pg_advisory_lock(4711), 7 AS seven`);
	await blocked(other.database);
	await postgres.kill();
	await eventually('the log says so', () => log.find((line) => /fails \(/.test(line)));
	await postgres.start();
	assert.equal((await slow)[0]?.seven, 7);
	assert.match(log.at(-1) ?? '', /answers again/);
	assert.equal(log.length, 2, log.join('\n'));
});

await test('if the server dies while a process holds the lock, the process survives and another one gets the lock', async () => {
	await using one = await open('locked');
	const begun = Promise.withResolvers<undefined>();
	const end = Promise.withResolvers<undefined>();
	const work = one.database.ifFree(() => {
		begun.resolve(undefined);
		return end.promise;
	});
	await begun.promise;
	await postgres.kill();
	await postgres.start();
	await using other = await open('locked');
	let done = 0;
	await other.database.ifFree(() => {
		done++;
		return Promise.resolve();
	});
	assert.equal(done, 1);
	end.resolve(undefined);
	await assert.rejects(work);
});

await test('a missing permission is database trouble, and an unsuitable value is not', async () => {
	await using refusing = await open('refusing');
	const { database } = refusing;
	const store = new EditStore(database);
	await store.add(newEdit('a'));
	await execute(database, sql`REVOKE ALL ON edits FROM CURRENT_USER`);
	await execute(database, sql`CREATE ROLE helper`);
	const refused = database.transaction(async (tables) => {
		await sql`SET LOCAL ROLE helper`.execute(tables);
		await sql`SELECT * FROM edits`.execute(tables);
	});
	await assert.rejects(refused, DatabaseTrouble);
	const mistaken = execute(database, sql`SELECT CAST('ten' AS INTEGER)`);
	await assert.rejects(mistaken, (error: Error) => !(error instanceof DatabaseTrouble));
});

await test('repeats a statement on a new connection when the old one is silently dead', async () => {
	await using between = await startSilentProxy(postgres.port, postgres.host);
	const url = postgres.urlOf('silent').replace(`:${postgres.port}/`, `:${between.port}/`);
	const database = await openPostgres(url, () => undefined);
	between.fallSilent();
	const [row] = await execute(database, sql`SELECT 7 AS seven`);
	assert.equal(row.seven, 7);
	await database.close();
});

await test("uses the database's clock, not this machine's", async () => {
	await using first = await open('clocks');
	await execute(first.database, sql`CREATE SCHEMA fake`);
	await execute(
		first.database,
		sql`CREATE FUNCTION fake.clock_timestamp() RETURNS timestamptz LANGUAGE sql
			AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$`,
	);
	const search = `?options=${encodeURIComponent('-c search_path=fake,pg_catalog,public')}`;
	await using second = await open('clocks', search);
	const aheadMs = second.database.nowMs() - Date.now();
	// It read the clocks one after the other, and a busy machine may take a while in between.
	assert.ok(Math.abs(aheadMs - 3_600_000) < 300_000, String(aheadMs));
});
