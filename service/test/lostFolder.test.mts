import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { eventually } from '../../testkit/time/eventually.mts';
import { send } from '../../testkit/service/client.mts';
import { PLAIN as config, shortRecording } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann, storage } = service;

const health = async () => (await send('GET', `${service.url}/health`)).json;

await test('makes the folders again that somebody removed', async () => {
	assert.deepEqual(await health(), { status: 'ok', reviews_waiting: 0 });
	for (const name of ['incoming', 'uploads', 'edits']) {
		await rm(join(storage, name), { recursive: true });
	}
	await ann.finish(shortRecording, config);
	assert.deepEqual(await health(), { status: 'ok', reviews_waiting: 0 });
});

await test('says that it cannot write when the storage folder is gone, without its path', async () => {
	await rm(storage, { recursive: true });
	// Whoever asks within a second gets the last answer.
	await eventually('a warning', async () => {
		const { status, text } = await send('GET', `${service.url}/health`);
		assert.equal(status, 200);
		assert.ok(!text.includes(storage));
		return /"warning":"The service cannot store anything: its database was removed/.test(text);
	});
});
