import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { resolveEditConfig } from '../../service/shared/contract.mts';
import { Claims } from '../../service/store/claims.mts';
import { openSharedDatabase } from '../../service/store/database.mts';
import type { StoredEdit } from '../../service/store/edit.mts';
import { EditStore } from '../../service/store/editStore.mts';
import { runEdit } from '../../service/work/runEdit.mts';
import { openWorkbench } from '../../service/cli/localService.mts';
import { eventually } from './support/client.mts';
import { shortRecording } from './support/recordings.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { readSettings } from '../../service/shared/settings.mts';

await using temporary = await temporaryFolder();

function addEdit(store: EditStore, id: string): StoredEdit {
	const request = {
		kind: 'edit' as const,
		uploadType: 'singletrack' as const,
		sources: [{ kind: 'upload' as const, uploadId: id, name: 'talk.wav' }],
		config: resolveEditConfig({ remove_noise: false }),
	};
	store.add({ id, ownerId: 'ann', createdAtMs: Date.now(), templateId: null, request });
	const edit = store.find(id);
	assert.ok(edit);
	return edit;
}

/** The claims of two processes that share a database. */
async function twoProcesses(leaseMs: number, name: string) {
	const path = join(temporary.path, name);
	const databases = await Promise.all([openSharedDatabase(path), openSharedDatabase(path)]);
	const close = () => {
		for (const database of databases) database.close();
	};
	return {
		store: new EditStore(databases[0]),
		one: new Claims(databases[0], leaseMs),
		other: new Claims(databases[1], leaseMs),
		[Symbol.dispose]: close,
	};
}

await test('only one process at a time can claim an edit', async () => {
	using shared = await twoProcesses(60_000, 'taken.sqlite');
	addEdit(shared.store, 'a');
	const claim = shared.one.take('a');
	assert.ok(claim);
	assert.equal(shared.other.take('a'), undefined);
	assert.equal(shared.one.take('a'), undefined);
	assert.ok(shared.other.leftMs('a') > 0);
	assert.ok(shared.one.isHeld(claim));
	shared.one.release(claim);
	assert.equal(shared.other.leftMs('a'), 0);
	assert.ok(shared.other.take('a'));
});

await test('an expired claim can be taken over, and its first holder cannot renew it', async () => {
	using shared = await twoProcesses(300, 'lost.sqlite');
	addEdit(shared.store, 'a');
	const lost = shared.one.take('a');
	assert.ok(lost);
	const claim = await eventually('the claim expires', () => shared.other.take('a'));
	assert.ok(!shared.one.isHeld(lost));
	shared.one.release(lost);
	shared.one.renew(lost);
	assert.ok(shared.other.isHeld(claim));
	await eventually('the claim expires', () => (shared.one.leftMs('a') === 0 ? true : undefined));
	shared.other.renew(claim);
	assert.equal(shared.one.take('a'), undefined);
});

await test('deleting the row ends the claim', async () => {
	using shared = await twoProcesses(300, 'deleted.sqlite');
	addEdit(shared.store, 'a');
	const claim = shared.one.take('a');
	assert.ok(claim);
	shared.store.remove(['a']);
	assert.ok(!shared.one.isHeld(claim));
	await eventually('the claim expires', () => (shared.other.leftMs('a') === 0 ? true : undefined));
	shared.one.renew(claim);
	assert.equal(shared.other.leftMs('a'), 0);
});

await test('only the holder of the claim can set the status of an edit or end it', async () => {
	using shared = await twoProcesses(300, 'end.sqlite');
	addEdit(shared.store, 'a');
	const lost = shared.one.take('a');
	const claim = await eventually('the claim expires', () => shared.other.take('a'));
	const moment = { nowMs: 5, ageMs: 5 };
	assert.equal(shared.store.fail('a', 'late', moment, lost?.token), false);
	shared.store.setStatus('a', 'EDITING', 5, lost?.token);
	assert.equal(shared.store.find('a')?.status, 'PENDING');
	assert.equal(shared.store.fail('a', 'ours', moment, claim.token), true);
	assert.equal(shared.store.fail('a', 'twice', moment, claim.token), false);
	assert.equal(shared.store.find('a')?.failureReason, 'ours');
});

await test('a run that lost its edit neither ends it nor touches its files', async (parent) => {
	const storage = join(temporary.path, 'storage');
	await mkdir(storage);
	const { workbench, database } = await openWorkbench(
		readSettings(['--storage', storage]),
		() => undefined,
	);
	/** Runs an edit that loses its claim at the nth check. */
	const loseAt = async (id: string, nth: number, hasSource: boolean) => {
		if (hasSource) {
			workbench.uploads.add({ id, ownerId: 'ann', fileName: 'talk.wav' }, workbench.clock.moment());
			const arrived = workbench.files.incomingPath();
			await writeFile(arrived, shortRecording);
			await workbench.files.keepUpload(arrived, id);
			workbench.uploads.markStored(id, shortRecording.length, workbench.clock.moment());
		}
		const stopping = new AbortController();
		let checks = 0;
		const confirm = () => {
			if (++checks === nth) stopping.abort();
		};
		await runEdit(addEdit(workbench.store, id), workbench, stopping.signal, {
			token: null,
			confirm,
		});
		assert.ok(checks >= nth);
		const edit = workbench.store.find(id);
		assert.equal(edit?.finishedAtMs, null);
		const attempts = database.prepare('SELECT attempts FROM jobs WHERE id = ?').get(id)?.attempts;
		assert.equal(attempts, 0);
		return await readdir(workbench.files.editFolder(id));
	};
	await parent.test('before the result folder is renamed', async () => {
		const left = await loseAt('first', 1, true);
		assert.ok(left.includes('work') && !left.includes('result'), left.join());
	});
	for (const [name, nth] of [['second', 2] as const, ['third', 3] as const]) {
		await parent.test(`before SUCCESS, at the ${name} check`, async () => {
			const left = await loseAt(name, nth, true);
			assert.ok(left.includes('result'));
			// These files may belong to the process that now has the edit.
			assert.equal(left.includes('work'), nth === 2);
		});
	}
	await parent.test('before FAILURE', async () => {
		assert.ok((await loseAt('fourth', 1, false)).includes('work'));
	});
	await workbench.engine.close();
	database.close();
});
