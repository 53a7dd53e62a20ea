import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditConfig, LocalSettings } from '../shared/contract.mts';
import { assertNear } from './support/assertNear.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { finishedFile } from '../../testkit/service/client.mts';
import { decodedSeconds } from '../../testkit/service/media.mts';
import { startOpenAiServer } from '../../testkit/service/openAiServer.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

/** Three seconds of vowels without a pause, in which the detectors hear no filler, and what is recognized there. */
const recording = new SyntheticTalk().filler(0.95, 'a').filler(0.65).filler(1.4, 'o').wav();
const ANSWER = {
	text: 'so uh then',
	words: [
		{ word: 'so', start: 0.5, end: 0.9 },
		{ word: 'uh', start: 1, end: 1.6 },
		{ word: 'then', start: 1.8, end: 2.4 },
	],
};

let answer = ANSWER;
await using server = await startOpenAiServer(() => ({ body: answer }));
await using service = await startService(...QUICK, '--transcription-url', `${server.url}/v1`);
const { ann } = service;

async function edited(config: EditConfig, local: LocalSettings) {
	server.visits.length = 0;
	const edit = await ann.run(recording, { remove_noise: false, ...config }, undefined, local);
	const { result, file } = await finishedFile(edit);
	const seconds = await decodedSeconds(file);
	return { result, seconds, visits: server.visits.length, local: edit.local };
}

await test('listens to no recording without a transcript unless it is asked to', async () => {
	const cuts = { fillers: true, hesitations: true, stutters: true };
	const silent = await edited(cuts, {});
	assert.equal(silent.visits, 0);
	assert.equal(silent.local, undefined);
	for (const local of [{ filler_words: true }, { word_check: true }]) {
		const asked = await edited(cuts, local);
		assert.equal(asked.visits, 1);
		assert.deepEqual(asked.local, local);
		assert.equal((await edited({ long_silences: true }, local)).visits, 0);
	}
});

await test('a transcript or a check of words adds no cut, and a check takes cuts back', async () => {
	const cuts = { fillers: true, stutters: true };
	const byWords = await edited(cuts, { filler_words: true });
	assert.equal(byWords.result.statistics?.FILLER_SOUND, 1);
	for (const [config, local] of [
		[{ ...cuts, transcription: true }, {}],
		[cuts, { word_check: true }],
	] as const) {
		const { result, seconds } = await edited(config, local);
		assert.equal(result.statistics?.FILLER_SOUND, 0);
		assert.equal(result.statistics.STUTTERING, 0);
		assertNear(seconds, 3, 0.05, 'seconds');
	}
	const talk = new SyntheticTalk().sentence().pause(0.4).filler(0.5).pause(0.4).sentence().wav();
	const fillersOf = async (local: LocalSettings, text: string) => {
		const start = new SyntheticTalk().sentence().pause(0.4).seconds;
		answer = { text, words: [{ word: text, start, end: start + 0.5 }] };
		const config = { remove_noise: false, fillers: true };
		const { result } = await finishedFile(await ann.run(talk, config, undefined, local));
		return result.statistics?.FILLER_SOUND;
	};
	assert.equal(await fillersOf({}, 'whoa'), 1);
	assert.equal(await fillersOf({ word_check: true }, 'whoa'), 0);
	assert.equal(await fillersOf({ word_check: true }, 'uh'), 1);
	answer = ANSWER;
});

await test('says so where no words were recognized for the cuts, and why', async () => {
	const config = { remove_noise: false, fillers: true };
	const local = { filler_words: true, word_check: true };
	const files = [await ann.upload(recording), await ann.upload(recording)];
	const tracks = await ann.ended(await ann.create({ files, config, local }));
	assert.deepEqual(tracks.result?.notes, [
		"'local.filler_words' and 'local.word_check' had no effect: words change the cuts of a single file only",
	]);
	await using deaf = await startService(...QUICK);
	const edit = await deaf.ann.run(recording, config, undefined, { word_check: true });
	assert.deepEqual(edit.result?.notes, [
		"'local.word_check' had no effect: this service has no recognizer",
	]);
});

await test('refuses keys of input.local that it does not know, and values that are none', async () => {
	const files = [await ann.upload(recording)];
	for (const local of [{ filer_words: true }, { word_check: 1 }]) {
		const { status, text } = await ann.call('POST', '/v2/edits', {
			body: { input: { files, local } },
		});
		assert.equal(status, 422);
		assert.match(text, /"local"/);
	}
});
