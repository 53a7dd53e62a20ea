import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { completedTasksSchema } from '../../service/shared/contract.mts';
import { readSettings } from '../../service/shared/settings.mts';
import { eventually } from '../support/eventually.mts';
import { resultOf, send } from './support/client.mts';
import { faithful } from './support/faithful.mts';
import { shortRecording } from './support/recordings.mts';
import { TestClock } from './support/testClock.mts';
import { startServiceOn, type TestService } from './support/testService.mts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const config = { remove_noise: false } as const;

/** Starts a service whose time the test moves. Links outlive the test: only the retention ends them. */
async function start(...flags: string[]): Promise<TestService> {
	const links = ['--upload-link-minutes', '1000000', '--download-link-minutes', '1000000'];
	return await startServiceOn(new TestClock('until advanced'), ...links, ...flags);
}

/** Lets time pass, and waits until the service has deleted what is old enough by then. */
async function pass({ clock }: TestService, ms: number): Promise<void> {
	const swept = () => (clock.sleeping > 0 ? true : undefined);
	await eventually('the earlier sweep is over', swept);
	clock.advance(ms);
	await eventually('the sweep is over', swept);
}

await test('the retention defaults to seven days', () => {
	assert.equal(readSettings([]).retentionDays, 7);
});

await test('deletes edits and uploads with their files seven days after processing', async () => {
	const mail = ['--mail-from', 'a@example.org', '--mail-to', 'b@example.org'];
	await using service = await start(...mail);
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
	for (const name of ['edits', 'uploads'] as const)
		assert.deepEqual(await service.folder(name), []);
	assert.deepEqual(await readdir(join(service.storage, 'outbox')), []);
	assert.equal((await send('GET', link)).status, 404);
	assert.equal((await send('PUT', unusedLink, { body: shortRecording })).status, 404);
});

await test('keeps an upload until seven days after its last edit', async () => {
	await using service = await start();
	const { ann } = service;
	const files = [await ann.upload(shortRecording)];
	const first = await ann.ended(await ann.create({ files, config }));
	await pass(service, 3 * DAY_MS);
	const second = await ann.ended(await ann.create({ files, config }));
	assert.equal(second.status, 'SUCCESS');
	await pass(service, 4 * DAY_MS + HOUR_MS);
	assert.equal((await ann.edit(first.task_id)).status, 'PENDING');
	assert.equal((await ann.edit(second.task_id)).status, 'SUCCESS');
	assert.equal((await service.folder('uploads')).length, 1);
	await pass(service, 3 * DAY_MS);
	assert.deepEqual(await service.folder('uploads'), []);
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
