import assert from 'node:assert/strict';
import { test } from 'node:test';

import { reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { send } from '../../testkit/service/client.mts';
import { talk } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

const ANSWER = JSON.stringify({ text: 'Hello.', words: [{ word: 'hello', start: 0, end: 0.4 }] });

await test('tells how much of the speech is recognized, in the status and on the page', async () => {
	const second = Promise.withResolvers<() => void>();
	await using server = await startOutsideServer((_visit, response, before) => {
		response.setHeader('Content-Type', 'application/json');
		const answer = () => {
			reply(response, 200, ANSWER);
		};
		if (before === 1) second.resolve(answer);
		else answer();
	});
	await using service = await startService(...QUICK, '--transcription-url', `${server.url}/v1`);
	const { ann } = service;
	const files = [await ann.upload(talk, 'ann.wav'), await ann.upload(talk, 'bob.wav')];
	const id = await ann.create({ files, config: { transcription: true, remove_noise: false } });
	const answer = await second.promise;
	const { json } = await ann.call('GET', `/v2/edits/${id}`);
	assert.deepEqual(json, {
		task_id: id,
		status: 'POSTPROCESSING',
		result: { done: 50, total: 100, step: 'recognizing speech' },
	});
	const { text } = await send('GET', service.url);
	assert.match(text, />recognizing speech, 50 %</);
	answer();
	const { result } = await ann.ended(id);
	assert.ok(result?.download_url);
	assert.ok(service.log.some((line) => line.includes(`${id} is heard to 50 %`)));
	const after = await send('GET', service.url);
	assert.doesNotMatch(after.text, /recognizing/);
});
