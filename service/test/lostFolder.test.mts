import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
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

await test('answers 500 without its own paths where a file is in the place of a folder, and logs why', async () => {
	const link = await ann.uploadLink('talk.wav');
	const incoming = join(storage, 'incoming');
	await rm(incoming, { recursive: true });
	await writeFile(incoming, '');
	const { status, json } = await send('PUT', link, { body: shortRecording });
	assert.equal(status, 500);
	const text = 'Internal Server Error';
	assert.deepEqual(json, { detail: text, message: text });
	assert.match(service.log.at(-1) ?? '', /(EEXIST|ENOTDIR).*incoming[^]*\n +at /);
	await rm(incoming);
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
