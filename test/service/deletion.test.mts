import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';

import { makeRecording } from '../support/recording.ts';
import { resultOf, send } from './support/client.mts';
import { eventually } from '../support/eventually.mts';
import { shortRecording } from './support/recordings.mts';
import { reply, startOutsideServer } from './support/servers.mts';
import { QUICK, startService } from './support/testService.mts';

// One edit at a time: whatever still runs would block the next edit.
await using service = await startService(...QUICK, '--concurrency', '1');
const { ann, bob } = service;

const config = { remove_noise: false } as const;

/** A web server that answers paths below `/answer/` and leaves other requests hanging. */
await using silentWeb = await startOutsideServer(({ url }, response) => {
	if (url.startsWith('/answer/')) reply(response, 200, shortRecording);
});

/** Asserts that nothing of an edit is left. */
async function assertForgotten(id: string): Promise<void> {
	assert.deepEqual((await ann.call('GET', `/v2/edits/${id}`)).json, {
		task_id: id,
		status: 'PENDING',
	});
	assert.ok(!(await service.folder('edits')).includes(id));
	assert.ok(!(await send('GET', service.url)).text.includes(id));
}

async function remove(id: string, client = ann): Promise<void> {
	assert.equal((await client.call('DELETE', `/v2/edits/${id}`)).status, 200);
}

await test('deletes an upload whose deletion arrives while it is uploaded, and answers 404', async () => {
	const link = await ann.uploadLink('talk.wav');
	const upload = request(link, {
		method: 'PUT',
		headers: { 'Content-Length': `${shortRecording.length}` },
	});
	const status = new Promise<number | undefined>((resolve, reject) => {
		upload.on('response', (response) => {
			resolve(response.statusCode);
			response.resume();
		});
		upload.on('error', reject);
	});
	upload.write(shortRecording.subarray(0, 20_000));
	await eventually('the upload has begun', async () => (await service.folder('incoming')).at(0));
	const files = [link.slice(0, link.indexOf('?'))];
	await remove((await ann.ended(await ann.create({ files, config }))).task_id);
	upload.end(shortRecording.subarray(20_000));
	assert.equal(await status, 404);
	assert.deepEqual(await service.folder('uploads'), []);
});

await test('deletes a finished edit with its result, its upload and its links', async () => {
	const link = await ann.uploadLink('talk.wav');
	await send('PUT', link, { body: shortRecording });
	const files = [link.slice(0, link.indexOf('?'))];
	const edit = await ann.ended(await ann.create({ files, config }));
	const { download_url: download = '' } = resultOf(edit);
	assert.deepEqual(await service.folder('edits'), [edit.task_id]);
	assert.equal((await service.folder('uploads')).length, 1);
	await remove(edit.task_id);
	await assertForgotten(edit.task_id);
	assert.deepEqual(await service.folder('uploads'), []);
	assert.equal((await send('GET', download)).status, 404);
	assert.equal((await send('PUT', link, { body: shortRecording })).status, 404);
	assert.equal((await ann.ended(await ann.create({ files, config }))).status, 'FAILURE');
});

await test("does not delete another key's edit", async () => {
	const edit = await ann.run(shortRecording, config);
	await remove(edit.task_id, bob);
	const { download_url: download = '' } = resultOf(await ann.edit(edit.task_id));
	assert.equal((await send('GET', download)).status, 200);
	await remove(edit.task_id);
});

/** Starts an edit that occupies the only place at the processor for some seconds. */
async function longEdit(): Promise<string> {
	const long = makeRecording({ partsSeconds: [120] });
	const id = await ann.create({ files: [await ann.upload(long)], config: { normalize: true } });
	await eventually('the engine works', () =>
		service.logOf(id).find((line) => line.includes('PREPROCESSING')),
	);
	return id;
}

await test('stops an edit that is fetching its source, which blocks no other edit', async () => {
	const hanging = await ann.create({ files: [`${silentWeb.url}/talk.wav`], config });
	await eventually('the service requests the source', () => silentWeb.visits.at(0));
	const next = await ann.create({ files: [`${silentWeb.url}/answer/talk.wav`], config });
	assert.equal((await ann.ended(next)).status, 'SUCCESS');
	assert.equal((await ann.edit(hanging)).status, 'PREPROCESSING');
	await remove(hanging);
	await assertForgotten(hanging);
	await eventually('the connection is closed', async () =>
		(await silentWeb.openConnections()) === 0 ? true : undefined,
	).catch(async () => {
		// The open connection may be that of the answered request.
		assert.equal(await silentWeb.openConnections(), 0);
	});
	assert.match(service.logOf(hanging).at(-1) ?? '', /deleted$/);
	await remove(next);
});

await test('stops an edit in the engine and leaves nothing of it', async () => {
	const id = await longEdit();
	await eventually('the edit has a folder', async () =>
		(await service.folder('edits')).includes(id) ? true : undefined,
	);
	await remove(id);
	await assertForgotten(id);
	// The only place is free again, so nothing of the deleted edit is running.
	assert.equal((await ann.run(shortRecording, config)).status, 'SUCCESS');
	await assertForgotten(id);
	assert.ok(!service.logOf(id).some((line) => /SUCCESS|FAILURE|EXPORT/.test(line)));
});

await test('a deleted edit in the queue never begins', async () => {
	const hanging = await longEdit();
	const waiting = await ann.create({ files: [await ann.upload(shortRecording)], config });
	await remove(waiting);
	await assertForgotten(waiting);
	await remove(hanging);
	assert.equal((await ann.run(shortRecording, config)).status, 'SUCCESS');
	assert.deepEqual(
		service.logOf(waiting).filter((line) => !/PENDING|deleted/.test(line)),
		[],
	);
});

await test('keeps an upload until its last edit is deleted, for finished and later edits', async () => {
	const files = [await ann.upload(shortRecording)];
	const first = await ann.ended(await ann.create({ files, config }));
	const second = await ann.ended(await ann.create({ files, config }));
	await remove(first.task_id);
	const third = await ann.ended(await ann.create({ files, config }));
	assert.equal(third.status, 'SUCCESS');
	await remove(second.task_id);
	await remove(third.task_id);
	assert.equal((await ann.ended(await ann.create({ files, config }))).status, 'FAILURE');
});

await test("another key's edit does not keep an upload", async () => {
	const fileUrl = await ann.upload(shortRecording);
	const own = await ann.ended(await ann.create({ files: [fileUrl], config }));
	const foreign = await bob.ended(await bob.create({ files: [fileUrl], config }));
	assert.equal(foreign.status, 'FAILURE');
	await remove(own.task_id);
	assert.equal((await ann.ended(await ann.create({ files: [fileUrl], config }))).status, 'FAILURE');
});

await test('keeps an upload while an unfinished edit needs it', async () => {
	const files = [await ann.upload(shortRecording)];
	const first = await ann.ended(await ann.create({ files, config }));
	const hanging = await ann.create({ files: [`${silentWeb.url}/talk.wav`], config });
	const second = await ann.create({ files, config });
	await remove(first.task_id);
	await remove(hanging);
	assert.equal((await ann.ended(second)).status, 'SUCCESS');
});
