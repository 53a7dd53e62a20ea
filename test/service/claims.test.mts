import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { sql } from 'kysely';

import { Claims } from '../../service/store/claims.mts';
import type { StoredEdit } from '../../service/store/edit.mts';
import type { Database } from '../../service/store/database.mts';
import { EditStore, type NewEdit } from '../../service/store/editStore.mts';
import { runEdit } from '../../service/work/runEdit.mts';
import { openWorkbench } from '../../service/cli/localService.mts';
import { eventually } from '../support/eventually.mts';
import { execute, sharedDatabases } from './support/databases.mts';
import { postgresServer } from '../support/postgresServer.mts';
import { newEdit, OUTCOME } from './support/rows.mts';
import { shortRecording } from './support/recordings.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { readSettings } from '../../service/shared/settings.mts';

await using temporary = await temporaryFolder();

await using postgres = await postgresServer();

/** Returns the database with each statement in a transaction, and runs `work` before each commit. */
function beforeCommits(database: Database, work: () => Promise<void>): Database {
	const run: Database['run'] = (statement) =>
		database.transaction(async (tables) => {
			const result = await statement(tables);
			await work();
			return result;
		});
	return { ...database, run };
}

async function addEdit(store: EditStore, id: string, more?: Partial<NewEdit>): Promise<StoredEdit> {
	await store.add(newEdit(id, more));
	const edit = await store.find(id);
	assert.ok(edit);
	return edit;
}

for (const { kind, open } of sharedDatabases(temporary.path, postgres)) {
	/** The claims of two processes that share a database. */
	const twoProcesses = async (leaseMs: number, name: string) => {
		const [one, other] = await Promise.all([open(name), open(name)]);
		const close = async () => {
			await Promise.all([one.close(), other.close()]);
		};
		return {
			store: new EditStore(one),
			one: new Claims(one, leaseMs),
			other: new Claims(other, leaseMs),
			[Symbol.asyncDispose]: close,
		};
	};
	const expired = async (claims: Claims) =>
		await eventually('the claim expires', async () =>
			(await claims.leftMs('a')) === 0 ? true : undefined,
		);

	await test(`${kind}: only one process at a time can claim an edit`, async () => {
		await using shared = await twoProcesses(60_000, 'taken');
		await addEdit(shared.store, 'a');
		const both = await Promise.all([shared.one.take('a'), shared.other.take('a')]);
		const [claim, ...more] = both.filter((taken) => taken !== undefined);
		assert.ok(claim);
		assert.deepEqual(more, []);
		assert.equal(await shared.one.take('a'), undefined);
		const leftMs = await shared.other.leftMs('a');
		assert.ok(leftMs > 30_000 && leftMs <= 60_000, String(leftMs));
		assert.deepEqual([...(await shared.other.claimedIds())], ['a']);
		assert.ok(await shared.one.isHeld(claim));
		await shared.one.release(claim);
		assert.equal(await shared.other.leftMs('a'), 0);
		assert.ok(await shared.other.take('a'));
	});

	await test(`${kind}: an expired claim can be taken over, and its first holder cannot renew it`, async () => {
		await using shared = await twoProcesses(300, 'lost');
		await addEdit(shared.store, 'a');
		const lost = await shared.one.take('a');
		assert.ok(lost);
		const claim = await eventually('the claim expires', () => shared.other.take('a'));
		assert.ok(!(await shared.one.isHeld(lost)));
		await shared.one.release(lost);
		await shared.one.renew(lost);
		assert.ok(await shared.other.isHeld(claim));
		await expired(shared.one);
		await shared.other.renew(claim);
		assert.equal(await shared.one.take('a'), undefined);
	});

	await test(`${kind}: deleting the row ends the claim`, async () => {
		await using shared = await twoProcesses(300, 'deleted');
		await addEdit(shared.store, 'a');
		const claim = await shared.one.take('a');
		assert.ok(claim);
		await shared.store.remove(['a']);
		assert.ok(!(await shared.one.isHeld(claim)));
		await expired(shared.other);
		await shared.one.renew(claim);
		assert.equal(await shared.other.leftMs('a'), 0);
	});

	await test(`${kind}: only the holder of the claim can set the status of an edit or end it`, async () => {
		await using shared = await twoProcesses(300, 'ended');
		await addEdit(shared.store, 'a');
		const lost = await shared.one.take('a');
		const claim = await eventually('the claim expires', () => shared.other.take('a'));
		const moment = { nowMs: 5, ageMs: 5 };
		assert.equal(await shared.store.fail('a', 'late', moment, lost?.token), false);
		await shared.store.setStatus('a', 'EDITING', 5, lost?.token);
		assert.equal((await shared.store.find('a'))?.status, 'PENDING');
		assert.equal(await shared.store.fail('a', 'ours', moment, claim.token), true);
		assert.equal(await shared.store.fail('a', 'twice', moment, claim.token), false);
		assert.equal((await shared.store.find('a'))?.failureReason, 'ours');
	});
}

await test('PostgreSQL: nobody takes over an edit while its holder ends it', async () => {
	const [, { open }] = sharedDatabases(temporary.path, postgres);
	const [one, other] = await Promise.all([open('ending'), open('ending')]);
	await addEdit(new EditStore(one), 'a');
	const held = await new Claims(one, 1).take('a');
	const blocked = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
	let seen = Promise.resolve<StoredEdit | undefined>(undefined);
	const slow = beforeCommits(one, async () => {
		let isTaken = false;
		seen = eventually('the claim expires', () => new Claims(other, 60_000).take('a')).then(() => {
			isTaken = true;
			return new EditStore(other).find('a');
		});
		await eventually('the other process waits', async () =>
			isTaken || (await execute(one, blocked)).length > 0 ? true : undefined,
		);
	});
	const moment = { nowMs: 5, ageMs: 5 };
	assert.ok(await new EditStore(slow).succeed('a', OUTCOME, 1, moment, held?.token));
	assert.equal((await seen)?.status, 'SUCCESS');
	await Promise.all([one.close(), other.close()]);
});

const { request } = newEdit('mailed');
const MAILED = { ...request, config: { ...request.config, send_email: true } };

await test('a run that lost its edit neither ends it nor touches its files', async (parent) => {
	const storage = join(temporary.path, 'storage');
	await mkdir(storage);
	const { workbench, database } = await openWorkbench(
		readSettings(['--storage', storage]),
		() => undefined,
	);
	/** Runs an edit that loses its claim at the nth check. */
	const loseAt = async (id: string, nth: number, hasSource: boolean, more?: Partial<NewEdit>) => {
		if (hasSource) {
			const upload = { id, ownerId: 'ann', fileName: 'talk.wav' };
			await workbench.uploads.add(upload, workbench.clock.moment());
			const arrived = workbench.scratch.incomingPath();
			await writeFile(arrived, shortRecording);
			await workbench.files.keepUpload(arrived, upload);
			await workbench.uploads.markStored(id, shortRecording.length, workbench.clock.moment());
		}
		const stopping = new AbortController();
		let checks = 0;
		const confirm = () => {
			if (++checks === nth) stopping.abort();
			return Promise.resolve();
		};
		await runEdit(await addEdit(workbench.store, id, more), workbench, stopping.signal, {
			token: null,
			confirm,
		});
		assert.ok(checks >= nth);
		const edit = await workbench.store.find(id);
		assert.equal(edit?.finishedAtMs, null);
		const [row] = await execute(database, sql`SELECT attempts FROM jobs WHERE id = ${id}`);
		assert.equal(row.attempts, 0);
		return await readdir(workbench.scratch.editFolder(id));
	};
	for (const [name, nth] of [['first', 1] as const, ['second', 2] as const]) {
		await parent.test(`before the result folder is renamed, at the ${name} check`, async () => {
			const left = await loseAt(name, nth, true);
			assert.ok(left.includes('work') && !left.includes('result'), left.join());
		});
	}
	for (const [name, nth] of [['third', 3] as const, ['fourth', 4] as const]) {
		await parent.test(`before SUCCESS, at the ${name} check`, async () => {
			const left = await loseAt(name, nth, true);
			assert.ok(left.includes('result'));
			// These files may belong to the process that now has the edit.
			assert.equal(left.includes('work'), nth === 3);
		});
	}
	await parent.test('before the e-mail, at the third check', async () => {
		await loseAt('mailed', 3, true, { request: MAILED });
		await assert.rejects(readdir(workbench.scratch.outboxFolder), { code: 'ENOENT' });
	});
	await parent.test('before FAILURE', async () => {
		assert.ok((await loseAt('fifth', 1, false)).includes('work'));
	});
	await workbench.engine.close();
	await database.close();
});
