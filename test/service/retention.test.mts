import assert from 'node:assert/strict';
import { test } from 'node:test';

import { completedTasksSchema } from '../../service/shared/contract.mts';
import { resultOf, send } from './support/client.mts';
import { eventually } from '../support/eventually.mts';
import { faithful } from './support/faithful.mts';
import { shortRecording } from './support/recordings.mts';
import { startService, type TestService } from './support/testService.mts';
import { testTogether } from './support/together.mts';
import { readSettings } from '../../service/shared/settings.mts';

const DAY_MS = 86_400_000;

// A day takes 0.6 real seconds. Links outlive the test, so only the retention ends them.
const FAST = [
	...['--clock-speed', '144000'],
	...['--upload-link-minutes', '1000000', '--download-link-minutes', '1000000'],
];

/** Reads the service's own time from its page. */
async function serviceTimeMs({ url }: TestService): Promise<number> {
	const { text } = await send('GET', url);
	const [, time = ''] = /Service time ([\d-]+ [\d:]+) UTC/.exec(text) ?? [];
	return Date.parse(`${time.replace(' ', 'T')}Z`);
}

/** Waits for a condition and returns the service's time then. */
async function timeOf(
	service: TestService,
	what: string,
	isTrue: () => Promise<boolean>,
): Promise<number> {
	await eventually(what, async () => ((await isTrue()) ? true : undefined));
	return await serviceTimeMs(service);
}

await test('the retention defaults to seven days', () => {
	assert.equal(readSettings([]).retentionDays, 7);
});

await testTogether('a service with short days', {
	'deletes edits and uploads with their files seven days after processing': async () => {
		await using service = await startService(...FAST);
		const { ann } = service;
		const unusedLink = await ann.uploadLink('never-edited.wav');
		const beganMs = await serviceTimeMs(service);
		await send('PUT', unusedLink, { body: shortRecording });
		const edit = await ann.run(shortRecording, { remove_noise: false });
		const failed = await ann.run(Buffer.from('no recording'), null);
		const { download_url: link = '' } = resultOf(edit);
		assert.equal((await send('GET', link)).status, 200);

		const goneMs = await timeOf(
			service,
			'the edit is deleted',
			async () => (await ann.edit(edit.task_id)).status === 'PENDING',
		);
		assert.ok(goneMs - beganMs >= 7 * DAY_MS, `gone after ${(goneMs - beganMs) / DAY_MS} days`);
		await timeOf(
			service,
			'the failed edit is deleted',
			async () => (await ann.edit(failed.task_id)).status === 'PENDING',
		);
		for (const name of ['jobs', 'uploads'] as const) {
			await timeOf(
				service,
				`${name} is empty`,
				async () => (await service.folder(name)).length === 0,
			);
		}
		assert.equal((await send('GET', link)).status, 404);
		assert.equal((await send('PUT', unusedLink, { body: shortRecording })).status, 404);
	},
	'keeps an upload until seven days after its last edit': async () => {
		await using service = await startService(...FAST);
		const { ann } = service;
		const files = [await ann.upload(shortRecording)];
		const config = { remove_noise: false } as const;
		const first = await ann.ended(await ann.create({ files, config }));
		await timeOf(service, 'three days pass', async () =>
			Promise.resolve((await serviceTimeMs(service)) > Date.now() + 3 * DAY_MS),
		);
		const againMs = await serviceTimeMs(service);
		const second = await ann.ended(await ann.create({ files, config }));
		await timeOf(
			service,
			'the first edit is deleted',
			async () => (await ann.edit(first.task_id)).status === 'PENDING',
		);
		const uploadGoneMs = await timeOf(
			service,
			'the upload is gone',
			async () => (await service.folder('uploads')).length === 0,
		);
		assert.equal(second.status, 'SUCCESS');
		assert.ok(uploadGoneMs - againMs >= 7 * DAY_MS);
	},
	'lists completed tasks of the last seven days, even if edits are kept longer': async () => {
		await using service = await startService(...FAST, '--retention-days', '10000');
		const { ann } = service;
		const beganMs = await serviceTimeMs(service);
		const files = [await ann.upload(shortRecording)];
		const id = await ann.create({ files, template_id: 1, config: { remove_noise: false } });
		const listed = async () => {
			const { json } = await ann.call('GET', '/v2/completed_tasks/1');
			return faithful(completedTasksSchema, json).tasks.map((task) => task.id);
		};
		assert.equal((await ann.ended(id)).status, 'SUCCESS');
		assert.deepEqual(await listed(), [id]);
		const goneMs = await timeOf(
			service,
			'the list is empty',
			async () => (await listed()).length === 0,
		);
		assert.ok(goneMs - beganMs >= 7 * DAY_MS);
		assert.equal((await ann.edit(id)).status, 'SUCCESS');
	},
});
