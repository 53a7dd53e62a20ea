import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { eventually } from '../../testkit/time/eventually.mts';
import { startChildService } from '../../testkit/service/childService.mts';
import { finishedFile, send } from '../../testkit/service/client.mts';
import { SILENCES, talk } from '../../testkit/service/recordings.mts';
import { reviewed, reviewOf } from '../../testkit/service/reviews.mts';
import { reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK_PROCESS } from '../../testkit/service/testService.mts';
import { editCreationSchema } from '../shared/contract.mts';

await using folder = await temporaryFolder();

/** Whether the chat server leaves requests without an answer. */
let isSilent = false;
let unanswered = 0;
await using server = await startOutsideServer(({ url }, response) => {
	response.setHeader('Content-Type', 'application/json');
	const words = [{ word: 'hello', start: 0, end: 0.4 }];
	if (url.endsWith('/transcriptions')) {
		reply(response, 200, JSON.stringify({ text: 'Hello.', words }));
	} else if (isSilent) unanswered += 1;
	else reply(response, 400);
});
const url = `${server.url}/v1`;
const chat = ['--chat-url', url, '--chat-model', 'any'];
const flags = [...QUICK_PROCESS, '--review', '--transcription-url', url, ...chat];

await test('a changed edit that has begun needs its original no more, even after kill -9', async () => {
	const config = { ...SILENCES, transcription: true, summarize: true };
	const id = await (async () => {
		await using service = await startChildService(folder.path, ...flags);
		const { client } = service;
		const review = await reviewed(client, { files: [await client.upload(talk)], config });
		const { cuts } = await review.state();
		await review.decide({ revision: 0, cuts, approve: true });
		await finishedFile(await client.ended(review.id));
		isSilent = true;
		const again = await send('POST', review.at('/again'));
		await eventually('the changed edit is at its texts', () => unanswered > 0);
		await client.call('DELETE', `/v2/edits/${review.id}`);
		await service.kill('SIGKILL');
		isSilent = false;
		return editCreationSchema.parse(again.json).id;
	})();
	await using service = await startChildService(folder.path, ...flags);
	const review = await reviewOf(service.client, id);
	const { cuts } = await review.state();
	assert.ok(cuts.length > 0);
	await review.decide({ revision: 0, cuts, approve: true });
	await finishedFile(await service.client.ended(id));
	assert.ok(!(await readdir(join(folder.path, 'edits', id))).includes('beginning'));
});
