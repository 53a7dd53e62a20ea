import assert from 'node:assert/strict';
import { cp, open as openFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { mock, test } from 'node:test';

import { sql } from 'kysely';

import { deleteEdit } from '../queue/removal.mts';
import { removeUnused } from '../store/uploadStore.mts';
import { sweep } from '../work/retention.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { lengthSeconds } from '../../testkit/media/recording.ts';
import { startChildService } from '../../testkit/service/childService.mts';
import { fileUrlOf, finishedFile } from '../../testkit/service/client.mts';
import { execute } from './support/databases.mts';
import { decodedSeconds } from '../../testkit/service/media.mts';
import { openParts } from './support/openedParts.mts';
import {
	SILENCES as config,
	TALK,
	TALK_REMOVED_SECONDS,
	talk,
} from '../../testkit/service/recordings.mts';
import { addEdit, newEdit, OUTCOME } from './support/rows.mts';
import { reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { ANNS_KEY, QUICK_PROCESS } from '../../testkit/service/testService.mts';

await using temporary = await temporaryFolder();

const DAY_MS = 86_400_000;

const open = (name: string) => openParts(join(temporary.path, name));

await test('every commit is on disk when it returns', async () => {
	await using parts = await open('synchronous');
	const [row] = await execute(parts.database, sql`PRAGMA synchronous`);
	assert.equal(row.synchronous, 2);
});

await test('flushes uploads and results to disk before renaming them', async () => {
	await using parts = await open('files');
	const { files, scratch } = parts.tools;
	const probe = await openFile(join(temporary.path, 'probe'), 'w');
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
	await using parts = await open('deleted');
	const { tools, queue } = parts;
	const { store, uploads, clock } = tools;
	await uploads.add({ id: 'one', ownerId: 'ann', fileName: 'a.wav' }, clock.moment());
	const edit = await addEdit(store, 'one');
	mock.method(queue, 'stop', () => Promise.reject(new Error('no queue')));
	await assert.rejects(deleteEdit(edit, tools, queue), /no queue/);
	assert.deepEqual(await uploads.ids(), new Set());
});

await test('a row from the future does not shift the clock', async () => {
	{
		await using first = await open('future');
		await first.tools.store.add(newEdit('late', { createdAtMs: Date.now() + 365 * DAY_MS }));
	}
	await using second = await open('future');
	assert.ok(Math.abs(second.tools.clock.nowMs() - Date.now()) < DAY_MS);
});

await test('deletes nothing when the machine clock is set forward, during or between runs', async () => {
	const realNow = Date.now.bind(Date);
	const now = mock.method(Date, 'now');
	try {
		{
			await using first = await open('jump');
			const { store, uploads, clock } = first.tools;
			await store.add(newEdit('one'));
			await uploads.add({ id: 'one', ownerId: 'ann', fileName: 'a.wav' }, clock.moment());
			assert.ok(await store.succeed('one', OUTCOME, clock.moment()));
			now.mock.mockImplementation(() => realNow() + 400 * DAY_MS);
			await sweep(first.tools, 7 * DAY_MS);
			assert.deepEqual(await store.ids(), new Set(['one']));
		}
		now.mock.mockImplementation(() => realNow() + 800 * DAY_MS);
		await using second = await open('jump');
		// At most one day counts of the time between two runs.
		for (const [retentionMs, left] of [
			[7 * DAY_MS, ['one']],
			[DAY_MS - 60_000, []],
		] as const) {
			await sweep(second.tools, retentionMs);
			assert.deepEqual([...(await second.tools.store.ids())], left);
			assert.deepEqual([...(await second.tools.uploads.ids())], left);
		}
	} finally {
		now.mock.restore();
	}
});

await test('the sweep finds the edits of each upload through an index', async () => {
	await using parts = await open('plan');
	const plan = await execute(parts.database, sql`EXPLAIN QUERY PLAN ${removeUnused(1)}`);
	const steps = plan.map(({ detail }) => String(detail)).join();
	assert.match(steps, /SEARCH upload_uses USING/);
	assert.doesNotMatch(steps, /SCAN (edits|upload_uses)/);
});

const storage = join(temporary.path, 'restarted');

await test('finishes running and queued edits at the start after kill -9', async () => {
	// The first delivery is never answered, so the process dies before that edit ends.
	await using outside = await startOutsideServer((_visit, response, before) => {
		if (before > 0) reply(response, 200);
	});
	await using first = await startChildService(storage, ...QUICK_PROCESS, '--concurrency', '1');
	const files = [await first.client.upload(talk)];
	const signed_url = `${outside.url}/edited.wav?signature=1`;
	const running = await first.client.create({ files, config: { ...config, signed_url } });
	await eventually('the edit is nearly done', () => outside.visits.at(0));
	const queued = await first.client.create({ files, config });
	const brokenLink = await first.client.uploadLink('half.wav');
	const upload = request(brokenLink, { method: 'PUT', headers: { 'Content-Length': 1_000_000 } });
	upload.on('error', () => undefined);
	upload.write(Buffer.alloc(10_000));
	const incoming = join(storage, 'incoming');
	await eventually('the upload has begun', async () => (await readdir(incoming)).at(0));
	assert.deepEqual(await first.kill('SIGKILL'), { code: null, signal: 'SIGKILL' });
	const left = await readdir(join(storage, 'edits', running));
	assert.ok(left.includes('work'), 'the edit was not running');
	assert.ok(!left.includes('result'), 'a result before the end');

	await using second = await startChildService(storage, ...QUICK_PROCESS);
	assert.equal(second.client.key, first.client.key);
	assert.equal((await second.client.ended(running)).status, 'SUCCESS');
	const { file } = await finishedFile(await second.client.ended(queued));
	assert.equal(outside.visits.length, 2);
	for (const edited of [outside.visits[1].body, file]) {
		const expected = lengthSeconds(TALK) - TALK_REMOVED_SECONDS;
		assert.ok(Math.abs((await decodedSeconds(edited)) - expected) <= 0.15);
	}
	for (const id of [running, queued]) {
		const kept = await readdir(join(storage, 'edits', id));
		assert.deepEqual(kept.toSorted(), ['result', 'source-1.wav']);
		const names = ['edits.json', 'recording-edited.wav', 'waveform.json'];
		assert.deepEqual((await readdir(join(storage, 'edits', id, 'result'))).toSorted(), names);
	}
	assert.deepEqual(await readdir(incoming), []);
	// Its file URLs, too, which name the earlier port.
	assert.ok(!files[0].startsWith(second.client.url), 'the same port');
	const later = await second.client.create({ files, config: { remove_noise: false } });
	assert.equal((await second.client.ended(later)).status, 'SUCCESS');
	const half = await second.client.create({ files: [fileUrlOf(brokenLink)] });
	assert.equal((await second.client.ended(half)).status, 'FAILURE');
	assert.deepEqual(await second.kill('SIGTERM'), { code: 0, signal: null });
});

await test('a restored backup has its edits, and none of the IDs given since', async () => {
	const live = join(temporary.path, 'live');
	const backup = join(temporary.path, 'backup');
	await using before = await startChildService(live, ...QUICK_PROCESS);
	const { id: finished } = await before.client.finish(talk, config);
	await before.kill('SIGTERM');
	await cp(live, backup, { recursive: true });
	await using since = await startChildService(live, ...QUICK_PROCESS);
	const { id: later } = await since.client.finish(talk, config);
	await since.kill('SIGTERM');
	await rm(live, { recursive: true });
	await rename(backup, live);

	await using restored = await startChildService(live, ...QUICK_PROCESS);
	const { client } = restored;
	assert.equal(client.key, before.client.key);
	await finishedFile(await client.ended(finished));
	assert.equal((await client.edit(later)).status, 'PENDING');
	const { id: next } = await client.finish(talk, config);
	assert.ok(![finished, later].includes(next));
	assert.equal((await client.edit(later)).status, 'PENDING');
});

await test('logs neither keys nor signatures', async () => {
	await using service = await startChildService(storage, ...QUICK_PROCESS, '--api-key', ANNS_KEY);
	const signed_url = 'http://127.0.0.1:9/bucket?signature=bucket-signature';
	await service.client.run(talk, { remove_noise: false, signed_url });
	await service.kill('SIGTERM');
	assert.ok(service.log.some((line) => line.includes('Delivering to http://127.0.0.1:9/bucket')));
	const secrets = [ANNS_KEY, 'signature', 'expires='];
	const shown = service.log.filter((line) => secrets.some((secret) => line.includes(secret)));
	assert.deepEqual(shown, []);
});
