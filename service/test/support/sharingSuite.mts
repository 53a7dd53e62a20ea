import assert from 'node:assert/strict';

import { sql } from 'kysely';

import { Claims } from '../../store/claims.mts';
import { EditStore } from '../../store/editStore.mts';
import { MIGRATIONS } from '../../store/migrations/all.mts';
import { execute, type OpenDatabase } from './databases.mts';
import { addEdit, failing, newEdit } from './rows.mts';
import { at } from './storeSuite.mts';
import type { Suite } from './suite.mts';

const LEASE_MS = 60_000;

/** Returns the claims of two processes that share a database. */
async function twoProcesses(open: OpenDatabase, name: string) {
	const [one, other] = await Promise.all([open(name), open(name)]);
	return {
		store: new EditStore(one),
		/** Lets the claims of all edits expire now. */
		expire: async () => {
			await execute(one, sql`UPDATE claims SET until_ms = 0`);
		},
		/** Leaves all claims as they are after the database's clock was set back. */
		setBack: async (ms: number) => {
			await execute(one, sql`UPDATE claims SET until_ms = until_ms + ${sql.lit(ms)}`);
		},
		one: new Claims(one, LEASE_MS),
		other: new Claims(other, LEASE_MS),
		[Symbol.asyncDispose]: async () => {
			await Promise.all([one.close(), other.close()]);
		},
	};
}

/** What processes that share a database do with it, of every kind. */
export const SHARING_SUITE: Suite<OpenDatabase> = {
	'processes that start together migrate once': async (open) => {
		await using opened = new AsyncDisposableStack();
		const databases = await Promise.all(Array.from({ length: 4 }, () => open('together')));
		for (const database of databases) opened.use(database);
		const rows = await execute(databases[0], sql`SELECT name FROM kysely_migration ORDER BY name`);
		const names = Object.keys(MIGRATIONS);
		assert.deepEqual(
			rows,
			names.map((name) => ({ name })),
		);
	},

	'the share of recognized speech lasts until the next status': async (open) => {
		await using database = await open('recognized');
		const store = new EditStore(database);
		await store.add(newEdit('a'));
		const percent = async () => (await store.find('a'))?.recognizedPercent;
		await store.setStatus('a', 'POSTPROCESSING', 1);
		assert.equal(await percent(), null);
		await store.setRecognized('a', 40);
		assert.equal(await percent(), 40);
		await store.interrupt(2);
		assert.equal(await percent(), null);
		await store.setRecognized('a', 60);
		await store.setStatus('a', 'EXPORT', 3);
		assert.equal(await percent(), null);
		await store.setRecognized('a', 80);
		await store.fail('a', failing('no'), at(4));
		assert.equal(await percent(), null);
	},

	'refuses a database that a newer version has changed, while a process that runs goes on': async (
		open,
	) => {
		await using running = await open('newer');
		await execute(running, sql`INSERT INTO kysely_migration VALUES ('9999 priority', '2030')`);
		await assert.rejects(open('newer'), /A newer version .* restore the backup/);
		assert.deepEqual(await new EditStore(running).unfinishedIds(), []);
	},

	'only one process at a time can claim an edit': async (open) => {
		await using shared = await twoProcesses(open, 'taken');
		await addEdit(shared.store, 'a');
		const both = await Promise.all([shared.one.claim('a'), shared.other.claim('a')]);
		const [claim, ...more] = both.filter((taken) => taken !== undefined);
		assert.ok(claim);
		assert.deepEqual(more, []);
		assert.equal(await shared.one.claim('a'), undefined);
		const leftMs = await shared.other.leftMs('a');
		assert.ok(leftMs > 30_000 && leftMs <= 60_000, String(leftMs));
		assert.deepEqual([...(await shared.other.claimedIds())], ['a']);
		assert.ok(await shared.one.isHeld(claim));
		await shared.one.release(claim);
		assert.equal(await shared.other.leftMs('a'), 0);
		assert.ok(await shared.other.claim('a'));
	},

	'an expired claim can be taken over, and its first holder cannot renew it': async (open) => {
		await using shared = await twoProcesses(open, 'lost');
		await addEdit(shared.store, 'a');
		const lost = await shared.one.claim('a');
		assert.ok(lost);
		assert.equal(await shared.other.claim('a'), undefined);
		await shared.expire();
		const claim = await shared.other.claim('a');
		assert.ok(claim);
		assert.ok(!(await shared.one.isHeld(lost)));
		await shared.one.release(lost);
		await shared.one.renew(lost);
		assert.ok(await shared.other.isHeld(claim));
		await shared.expire();
		assert.equal(await shared.one.leftMs('a'), 0);
		await shared.other.renew(claim);
		assert.equal(await shared.one.claim('a'), undefined);
	},

	'a claim ends soon after the clock was set back by days, unless its holder is alive': async (
		open,
	) => {
		await using shared = await twoProcesses(open, 'set-back');
		await addEdit(shared.store, 'a');
		const claim = await shared.one.claim('a');
		assert.ok(claim);
		await shared.setBack(3 * 86_400_000);
		await shared.other.removeDead();
		const leftMs = await shared.other.leftMs('a');
		assert.ok(leftMs > 0 && leftMs <= 10 * LEASE_MS, String(leftMs));
		assert.ok(await shared.one.isHeld(claim));
		await shared.one.renew(claim);
		assert.ok((await shared.other.leftMs('a')) <= LEASE_MS);
	},

	'deleting the row ends the claim': async (open) => {
		await using shared = await twoProcesses(open, 'deleted');
		await addEdit(shared.store, 'a');
		const claim = await shared.one.claim('a');
		assert.ok(claim);
		await shared.store.remove(['a']);
		assert.ok(!(await shared.one.isHeld(claim)));
		await shared.expire();
		await shared.one.renew(claim);
		assert.equal(await shared.other.leftMs('a'), 0);
	},

	'only the holder of the claim can set the status of an edit or end it': async (open) => {
		await using shared = await twoProcesses(open, 'ended');
		await addEdit(shared.store, 'a');
		const lost = await shared.one.claim('a');
		await shared.expire();
		const claim = await shared.other.claim('a');
		assert.ok(claim);
		const moment = { nowMs: 5, ageMs: 5 };
		assert.equal(await shared.store.fail('a', failing('late'), moment, lost?.token), false);
		await shared.store.setStatus('a', 'EDITING', 5, lost?.token);
		assert.equal((await shared.store.find('a'))?.status, 'PENDING');
		assert.equal(await shared.store.fail('a', failing('ours'), moment, claim.token), true);
		assert.equal(await shared.store.fail('a', failing('twice'), moment, claim.token), false);
		assert.equal((await shared.store.find('a'))?.failureReason, 'ours');
	},
};
