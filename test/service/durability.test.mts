import assert from 'node:assert/strict';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock, test } from 'node:test';

import { sql } from 'kysely';

import { InProcessQueue } from '../../service/queue/inProcessQueue.mts';
import { deleteEdit } from '../../service/queue/removal.mts';
import { sweep } from '../../service/work/retention.mts';
import { removeUnused } from '../../service/store/uploadStore.mts';
import { openTools } from '../../service/cli/localService.mts';
import { execute } from './support/databases.mts';
import { newEdit, OUTCOME } from './support/rows.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { readSettings } from '../../service/shared/settings.mts';

await using temporary = await temporaryFolder();

const DAY_MS = 86_400_000;

/** Opens the tools on the storage folder of this name, which may exist already. */
async function openParts(name: string) {
	const storage = join(temporary.path, name);
	await mkdir(storage, { recursive: true });
	const { tools, database } = await openTools(
		readSettings(['--storage', storage]),
		() => undefined,
	);
	const close = async () => {
		await tools.folderAge.keep(tools.clock.moment().ageMs);
		await tools.engine.close();
		await database.close();
	};
	return { ...tools, tools, database, [Symbol.asyncDispose]: close };
}

await test('every commit is on disk when it returns', async () => {
	await using parts = await openParts('synchronous');
	const [row] = await execute(parts.database, sql`PRAGMA synchronous`);
	assert.equal(row.synchronous, 2);
});

await test('flushes uploads and results to disk before renaming them', async () => {
	await using parts = await openParts('files');
	const { files, scratch } = parts;
	const probe = await open(join(temporary.path, 'probe'), 'w');
	const handles: unknown = Object.getPrototypeOf(probe);
	await probe.close();
	let hadName = true;
	const named = join(scratch.folder, 'uploads', 'u');
	// The file comes first, then the folders that contain it.
	const sync = mock.method(handles as { sync(): Promise<void> }, 'sync', async () => {
		if (sync.mock.callCount() === 0) hadName = (await readdir(named)).includes('file');
	});
	try {
		const arrived = scratch.incomingPath();
		await writeFile(arrived, 'sound');
		await files.keepUpload(arrived, { id: 'u', fileName: 'a.wav' });
		assert.equal(hadName, false, 'the file was renamed first');
		assert.equal(sync.mock.callCount(), 3);
		const folders = await scratch.startEditFolder('j');
		await writeFile(join(folders.unfinishedResult, 'a.wav'), 'sound');
		await writeFile(join(folders.unfinishedResult, 'b.json'), '{}');
		await files.keepResult('j', folders, new AbortController().signal);
		assert.equal(sync.mock.callCount(), 3 + 2 + 3);
	} finally {
		sync.mock.restore();
	}
});

await test('deletes the row of an upload with that of its last edit', async () => {
	await using parts = await openParts('deleted');
	const { store, uploads, clock, tools } = parts;
	await uploads.add({ id: 'one', ownerId: 'ann', fileName: 'a.wav' }, clock.moment());
	await store.add(newEdit('one'));
	const edit = await store.find('one');
	assert.ok(edit);
	const queue = new InProcessQueue(tools);
	mock.method(queue, 'stop', () => Promise.reject(new Error('no queue')));
	await assert.rejects(deleteEdit(edit, tools, queue), /no queue/);
	assert.deepEqual(await uploads.ids(), new Set());
});

await test('a row from the future does not shift the clock', async () => {
	{
		await using first = await openParts('future');
		await first.store.add(newEdit('late', { createdAtMs: Date.now() + 365 * DAY_MS }));
	}
	await using second = await openParts('future');
	assert.ok(Math.abs(second.clock.nowMs() - Date.now()) < DAY_MS);
});

await test('deletes nothing when the machine clock is set forward, during or between runs', async () => {
	const realNow = Date.now.bind(Date);
	const now = mock.method(Date, 'now');
	try {
		{
			await using first = await openParts('jump');
			await first.store.add(newEdit('one'));
			await first.uploads.add(
				{ id: 'one', ownerId: 'ann', fileName: 'a.wav' },
				first.clock.moment(),
			);
			assert.ok(await first.store.succeed('one', OUTCOME, first.clock.moment()));
			now.mock.mockImplementation(() => realNow() + 400 * DAY_MS);
			await sweep(first.tools, 7 * DAY_MS);
			assert.deepEqual([...(await first.store.ids())], ['one']);
		}
		now.mock.mockImplementation(() => realNow() + 800 * DAY_MS);
		await using second = await openParts('jump');
		await sweep(second.tools, 7 * DAY_MS);
		assert.deepEqual([...(await second.store.ids())], ['one']);
		assert.deepEqual([...(await second.uploads.ids())], ['one']);
		// At most one day counts of the time between two runs.
		await sweep(second.tools, DAY_MS - 60_000);
		assert.deepEqual([...(await second.store.ids())], []);
		assert.deepEqual([...(await second.uploads.ids())], []);
	} finally {
		now.mock.restore();
	}
});

await test('the sweep finds the edits of each upload through an index', async () => {
	await using parts = await openParts('plan');
	const plan = await execute(parts.database, sql`EXPLAIN QUERY PLAN ${removeUnused(1)}`);
	const steps = plan.map(({ detail }) => String(detail));
	assert.ok(
		steps.some((step) => /SEARCH upload_uses USING/.test(step)),
		steps.join(),
	);
	assert.ok(!steps.some((step) => /SCAN (edits|upload_uses)/.test(step)), steps.join());
});
