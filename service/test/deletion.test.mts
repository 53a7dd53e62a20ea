import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';

import { completedTasksSchema } from '../shared/contract.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { makeRecording } from '../../testkit/media/recording.ts';
import { fileUrlOf, resultOf, send } from '../../testkit/service/client.mts';
import { faithful } from '../../testkit/service/faithful.mts';
import { PLAIN as config, shortRecording } from '../../testkit/service/recordings.mts';
import { startOutsideServer } from '../../testkit/service/servers.mts';
import { sleepsUntilAdvanced } from '../../testkit/time/serviceTime.mts';
import {
	QUICK,
	startService,
	startServiceOn,
	type TestService,
} from '../../testkit/service/testService.mts';

// One edit at a time: whatever still runs would block the next edit.
await using service = await startService(...QUICK, '--concurrency', '1');
const { ann, bob } = service;

/** A web server that leaves every request hanging. */
await using silentWeb = await startOutsideServer(() => undefined);

/** Asserts that nothing of an edit is left. */
async function assertForgotten(id: string): Promise<void> {
	const { json } = await ann.call('GET', `/v2/edits/${id}`);
	assert.deepEqual(json, { task_id: id, status: 'PENDING' });
	assert.ok(!(await service.folder('edits')).includes(id));
	assert.ok(!(await send('GET', service.url)).text.includes(id));
}

async function remove(id: string, client = ann): Promise<void> {
	assert.equal((await client.call('DELETE', `/v2/edits/${id}`)).status, 200);
}

await test('deletes an upload whose deletion arrives while it is uploaded, and answers 404', async () => {
	const link = await ann.uploadLink('talk.wav');
	const headers = { 'Content-Length': `${shortRecording.length}` };
	const upload = request(link, { method: 'PUT', headers });
	const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
	upload.write(shortRecording.subarray(0, 20_000));
	await eventually('the upload has begun', async () => (await service.folder('incoming')).at(0));
	const files = [fileUrlOf(link)];
	await remove((await ann.ended(await ann.create({ files, config }))).task_id);
	upload.end(shortRecording.subarray(20_000));
	const [response] = await answered;
	assert.equal(response.resume().statusCode, 404);
	assert.deepEqual(await service.folder('uploads'), []);
});

await test('deletes a finished edit with its result, its upload and its links', async () => {
	const link = await ann.uploadLink('talk.wav');
	await send('PUT', link, { body: shortRecording });
	const files = [fileUrlOf(link)];
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

await test('stops an edit that is fetching its source', async () => {
	const id = await ann.create({ files: [`${silentWeb.url}/talk.wav`], config });
	await eventually('the service requests the source', () => silentWeb.visits.at(0));
	assert.equal((await ann.edit(id)).status, 'PREPROCESSING');
	await remove(id);
	await assertForgotten(id);
	await eventually('it is disconnected', async () => (await silentWeb.openConnections()) === 0);
	assert.match(service.logOf(id).at(-1) ?? '', /deleted$/);
});

await test('stops an edit in the engine and leaves nothing of it', async () => {
	const id = await longEdit();
	await eventually('the edit has a folder', async () =>
		(await service.folder('edits')).includes(id),
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
	assert.ok(service.logOf(waiting).every((line) => /PENDING|deleted/.test(line)));
});

await test('keeps an upload until the last edit that needs it is deleted', async () => {
	const files = [await ann.upload(shortRecording)];
	const first = await ann.ended(await ann.create({ files, config }));
	const hanging = await ann.create({ files: [`${silentWeb.url}/talk.wav`], config });
	const second = await ann.create({ files, config });
	await remove(first.task_id);
	await remove(hanging);
	assert.equal((await ann.ended(second)).status, 'SUCCESS');
	await remove(second);
	assert.equal((await ann.ended(await ann.create({ files, config }))).status, 'FAILURE');
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Starts a service whose time the test moves. Links outlive the test: only the retention ends them. */
async function start(...flags: string[]): Promise<TestService> {
	const links = ['--upload-link-minutes', '1000000', '--download-link-minutes', '1000000'];
	return await startServiceOn(sleepsUntilAdvanced(), ...links, ...flags);
}

/** Lets time pass, and waits until the service has deleted what is old enough by then. */
async function pass({ clock }: TestService, ms: number): Promise<void> {
	const swept = () => clock.sleeping > 0;
	await eventually('the earlier sweep is over', swept);
	clock.advance(ms);
	await eventually('the sweep is over', swept);
}

await test('deletes edits and uploads with their files seven days after processing', async () => {
	await using service = await start('--mail-from', 'a@example.org', '--mail-to', 'b@example.org');
	const { ann } = service;
	const unusedLink = await ann.uploadLink('never-edited.wav');
	await send('PUT', unusedLink, { body: shortRecording });
	const edit = await ann.run(shortRecording, { ...config, send_email: true });
	const failed = await ann.run(Buffer.from('no recording'), null);
	const { download_url: link = '' } = resultOf(edit);
	await pass(service, 7 * DAY_MS - HOUR_MS);
	assert.equal((await send('GET', link)).status, 200);
	assert.equal((await ann.edit(failed.task_id)).status, 'FAILURE');
	assert.equal((await service.folder('uploads')).length, 3);

	await pass(service, 2 * HOUR_MS);
	for (const { task_id: id } of [edit, failed]) {
		assert.equal((await ann.edit(id)).status, 'PENDING');
	}
	for (const name of ['edits', 'uploads', 'outbox'])
		assert.deepEqual(await readdir(join(service.storage, name)), []);
	assert.equal((await send('GET', link)).status, 404);
	assert.equal((await send('PUT', unusedLink, { body: shortRecording })).status, 404);
});

await test('lists completed tasks of the last seven days, even if edits are kept longer', async () => {
	await using service = await start('--retention-days', '10000');
	const { ann } = service;
	const files = [await ann.upload(shortRecording)];
	const id = await ann.create({ files, template_id: 1, config });
	const listed = async () => {
		const { json } = await ann.call('GET', '/v2/completed_tasks/1');
		return faithful(completedTasksSchema, json).tasks.map((task) => task.id);
	};
	assert.equal((await ann.ended(id)).status, 'SUCCESS');
	await pass(service, 7 * DAY_MS - HOUR_MS);
	assert.deepEqual(await listed(), [id]);
	await pass(service, 2 * HOUR_MS);
	assert.deepEqual(await listed(), []);
	assert.equal((await ann.edit(id)).status, 'SUCCESS');
});
