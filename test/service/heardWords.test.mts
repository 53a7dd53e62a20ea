import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeRecording } from '../support/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { decodedSeconds } from './support/media.mts';
import { finishedFile } from './support/client.mts';
import { startOpenAiServer, type ScriptedAnswer } from './support/openAiServer.mts';
import { QUICK, startService } from './support/testService.mts';

let answer: ScriptedAnswer;
await using server = await startOpenAiServer(() => answer);
await using service = await startService(...QUICK, '--transcription-url', `${server.url}/v1`);
const { ann } = service;

/** A sustained sound of six seconds, in which the detectors hear no filler. */
const recording = makeRecording({ partsSeconds: [6] });

/** What the recogniser returns for it. */
const HEARD = {
	text: 'so uh then the the end',
	words: [
		{ word: 'so', start: 0.5, end: 0.9 },
		{ word: 'uh', start: 1, end: 1.6 },
		{ word: 'then', start: 1.8, end: 2.4 },
		{ word: 'the', start: 3, end: 3.2 },
		{ word: 'the', start: 3.4, end: 3.6 },
		{ word: 'end', start: 3.8, end: 4.4 },
	],
};

async function edited(config: object) {
	server.visits.length = 0;
	const { result, file } = await finishedFile(
		await ann.run(recording, { remove_noise: false, ...config }),
	);
	return { result, seconds: await decodedSeconds(file), visits: server.visits.length };
}

await test('cuts fillers and stutters by the words of the transcription server', async () => {
	answer = { body: HEARD };
	const { result, seconds, visits } = await edited({ fillers: true, stutters: true });
	assert.equal(visits, 1);
	assert.equal(result.statistics?.FILLER_SOUND, 1);
	assert.equal(result.statistics.STUTTERING, 1);
	assertNear(seconds, 6 - 0.6 - 0.4, 0.1, 'seconds');
});

await test('cuts only the requested kinds and sends nothing when words are not needed', async () => {
	answer = { body: HEARD };
	const stutters = await edited({ stutters: true });
	assert.equal(stutters.result.statistics?.FILLER_SOUND, 0);
	assert.equal(stutters.result.statistics.STUTTERING, 1);
	assert.equal((await edited({ long_silences: true })).visits, 0);
});

await test('cuts fillers of the language that the server reports', async () => {
	const um = [...HEARD.words, { word: 'um', start: 5, end: 5.5 }];
	for (const [language, fillers] of [
		['english', 2],
		['german', 1],
	] as const) {
		answer = { body: { ...HEARD, language, words: um } };
		const { result } = await edited({ fillers: true });
		assert.equal(result.statistics?.FILLER_SOUND, fillers, language);
	}
});

await test('recognises once for fillers and transcript, with times of the edited file', async () => {
	answer = { body: HEARD };
	const { result, visits } = await edited({ fillers: true, stutters: true, transcription: true });
	assert.equal(visits, 1);
	const words = result.transcription?.transcription?.words ?? [];
	assert.deepEqual(
		words.map(({ text }) => text),
		['so', 'then', 'the', 'end'],
	);
	const cut = 0.6 + 0.4;
	assertNear(words[1].start ?? NaN, 1.8 - 0.6, 0.05, 'then');
	assertNear(words[3].end ?? NaN, 4.4 - cut, 0.05, 'end');
});

await test('edits by ear when the transcription server refuses', async () => {
	answer = { status: 400, body: { error: { message: 'no' } } };
	const { result, seconds } = await edited({ fillers: true });
	assert.equal(result.statistics?.FILLER_SOUND, 0);
	assertNear(seconds, 6, 0.05, 'seconds');
	assert.ok(service.log.some((line) => line.includes('is edited without a transcript')));
});
