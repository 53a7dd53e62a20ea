import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeRecording } from '../../testkit/media/recording.ts';
import { startOpenAiServer, type ScriptedAnswer } from '../../testkit/service/openAiServer.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

const SECONDS = 12;

const recording = makeRecording({ partsSeconds: [SECONDS] });

let answer: ScriptedAnswer = { body: {} };
await using server = await startOpenAiServer(({ url }) =>
	url.endsWith('/transcriptions') ? answer : { body: said },
);
let said: unknown;
const url = `${server.url}/v1`;
const chat = ['--chat-url', url, '--chat-model', 'any'];
await using service = await startService(...QUICK, '--transcription-url', url, ...chat);

const word = (text: string, index = 0) => ({ word: text, start: index / 1e6, end: index / 1e6 });
const words = (count: number) => Array.from({ length: count }, (_, index) => word('a', index));
const segment = (text: string) => ({ text, start: 0, end: SECONDS });

for (const [what, body, reason] of [
	[
		'a word of 5 MB',
		{ text: 'a', words: [word('a'.repeat(5_000_000))] },
		/more than 12 s of sound can say/,
	],
	['700,000 words', { text: 'a', words: words(700_000) }, /more than 12 s of sound can say/],
	['1,000 words', { text: 'a', words: words(1_000) }, /more than 12 s of sound can say/],
	[
		'a word of 20 KB',
		{ text: 'a', words: [word('a'.repeat(20_000))] },
		/more than 12 s of sound can say/,
	],
	[
		'1,000 words in a segment',
		{ segments: [segment('a '.repeat(1_000))] },
		/more than 12 s of sound can say/,
	],
	[
		'a text of 5 MB',
		{ text: 'a'.repeat(5_000_000), words: words(1) },
		/more than 12 s of sound can say/,
	],
] as const) {
	await test(`refuses ${what} for ${SECONDS} s from a transcription server, at once`, async () => {
		server.visits.length = 0;
		answer = { body };
		const edit = await service.ann.run(recording, { transcription: true });
		assert.equal(edit.status, 'SUCCESS');
		assert.match(edit.result?.notes?.join() ?? '', reason);
		assert.equal(server.visits.length, 1);
	});
}

await test('accepts as many words as the fastest speaker says', async () => {
	answer = { body: { text: 'a', words: words(SECONDS * 15) } };
	const edit = await service.ann.run(recording, { transcription: true });
	assert.equal(edit.result?.transcription?.transcription?.words.length, SECONDS * 15);
});

await test('writes extracts when a chat server answers with megabytes', async () => {
	answer = { body: { text: 'a', words: words(10) } };
	for (const content of ['a'.repeat(5_000_000), JSON.stringify({ title: 'a'.repeat(5_000_000) })]) {
		server.visits.length = 0;
		said = { choices: [{ message: { content } }] };
		const edit = await service.ann.run(recording, { transcription: true, summarize: true });
		assert.equal(edit.status, 'SUCCESS');
		const log = service.logOf(edit.task_id).join('\n');
		assert.match(log, /gets extracts instead of written texts \(.*the answer is too long/);
		assert.equal(server.visits.length, 2);
	}
});
