import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { Chance } from '../../testkit/measure/chance.mts';
import { nthSmallest } from '../engine/signal/levels.mts';
import type { EditConfig } from '../shared/contract.mts';
import { TransientTrouble } from '../shared/failures.mts';
import { SPEECH_RATE_HZ } from '../text/speech/speech.mts';
import { transcriptionServer } from '../text/speech/transcriptionServer.mts';
import { assertNear } from './support/assertNear.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { finishedFile } from '../../testkit/service/client.mts';
import { decodedSeconds } from '../../testkit/service/media.mts';
import { startOpenAiServer, transcriptionRequestOf } from '../../testkit/service/openAiServer.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { TEXT_HELP } from '../../testkit/service/textHelp.mts';

const MINUTE_BYTES = SPEECH_RATE_HZ * 2 * 60;

/** Noise-like speech with 1 s of silence at each given time, and silence after `end`. */
async function writeSpeech(path: string, seconds: number, pausesAtSeconds: number[], end: number) {
	await using file = await open(path, 'w');
	for (let second = 0; second < seconds; second++) {
		const block = Buffer.alloc(MINUTE_BYTES / 60);
		if (!pausesAtSeconds.includes(second) && second < end) {
			for (let at = 0; at < block.length; at += 2) {
				block.writeInt16LE(Math.round(3_000 * Math.sin(at * 0.37)), at);
			}
		}
		await file.write(block);
	}
}

await test('sends half an hour in pieces under 25 MB, cut at pauses, and joins their times', async () => {
	await using folder = await temporaryFolder();
	const path = join(folder.path, 'speech.raw');
	const seconds = 31 * 60;
	await writeSpeech(path, seconds, [500, 1_050], 1_500);
	const sent: number[] = [];
	let refusals = 0;
	await using server = await startOpenAiServer((visit, before) => {
		// The second piece is refused once; only that one may be sent again.
		if (before === 1) return { status: 500, body: {} };
		const request = transcriptionRequestOf(visit);
		assert.ok(request.wav.length < 25_000_000);
		assert.equal(request.wav.toString('latin1', 0, 4), 'RIFF');
		sent.push(request.seconds);
		const segments = [{ text: ' One two.', start: 1, end: 2 }];
		return { body: { language: 'german', segments } };
	});
	const { name, transcribe } = transcriptionServer({
		url: `${server.url}/v1`,
		key: undefined,
		model: 'whisper-1',
	});
	assert.ok(name.includes(server.url));
	const { words, language } = await transcribe(
		{ path, seconds, folder: folder.path },
		{
			...TEXT_HELP,
			retried: async (step) => {
				try {
					return await step();
				} catch (error) {
					assert.ok(error instanceof TransientTrouble);
					refusals += 1;
					return await step();
				}
			},
		},
	);
	assert.equal(refusals, 1);
	assert.equal(language, 'de');
	// The rest is silence, sent only as part of the last piece.
	assert.equal(sent.length, 3);
	const [first, second] = sent;
	assert.ok(first > 500 && first < 501, `cut after ${first} s`);
	assert.ok(first + second > 1_050 && first + second < 1_051, `cut after ${first + second} s`);
	assert.equal(words.map(({ text }) => text).join(' '), 'One two. One two. One two.');
	assert.ok(Math.abs(words[2].startSeconds - (first + 1)) < 0.01);
	assert.ok(Math.abs(words[5].endSeconds - (first + second + 2)) < 0.01);
	assert.ok(Math.abs(words[0].endSeconds - words[1].startSeconds) < 0.01);
});

await test('the value at a place is the one that sorting would put there', () => {
	const chance = new Chance(3);
	for (const length of [1, 2, 3, 10, 999]) {
		// Few different values: equal ones are the hard case.
		const values = Float32Array.from({ length }, () => Math.floor(8 * chance.next()));
		const sorted = values.toSorted();
		for (let place = 0; place < length; place += Math.ceil(length / 9)) {
			assert.equal(nthSmallest(values.slice(), place), sorted[place]);
		}
	}
	assert.equal(nthSmallest(new Float32Array(0), 0), undefined);
});

/** What the recognizer returns for the recording below. */
const ANSWER = {
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

let answer: { status?: number; body: object } = { body: ANSWER };
await using server = await startOpenAiServer(() => answer);
await using service = await startService(...QUICK, '--transcription-url', `${server.url}/v1`);
const { ann } = service;

/** Six seconds of vowels without a pause, in which the detectors hear no filler. */
const recording = new SyntheticTalk()
	.filler(0.95, 'a')
	.filler(0.65)
	.filler(1.4, 'o')
	.filler(0.3, 'e')
	.filler(0.3, 'e')
	.filler(1.4, 'a')
	.filler(0.5)
	.filler(0.5, 'i')
	.wav();

/** Asks for the words that fillers and stutters are cut by. */
const BY_WORDS = { filler_words: true };

async function edited(config: EditConfig) {
	server.visits.length = 0;
	const files = [await ann.upload(recording)];
	const id = await ann.create({
		files,
		config: { remove_noise: false, ...config },
		local: BY_WORDS,
	});
	const { result, file } = await finishedFile(await ann.ended(id));
	return { result, seconds: await decodedSeconds(file), visits: server.visits.length };
}

await test('cuts fillers and stutters by the words of the transcription server', async () => {
	const { result, seconds, visits } = await edited({ fillers: true, stutters: true });
	assert.equal(visits, 1);
	assert.equal(result.statistics?.FILLER_SOUND, 1);
	assert.equal(result.statistics.STUTTERING, 1);
	assertNear(seconds, 6 - 0.6 - 0.4, 0.1, 'seconds');
});

await test('cuts only the requested kinds and sends nothing when words are not needed', async () => {
	const stutters = await edited({ stutters: true });
	assert.equal(stutters.result.statistics?.FILLER_SOUND, 0);
	assert.equal(stutters.result.statistics.STUTTERING, 1);
	assert.equal((await edited({ long_silences: true })).visits, 0);
});

await test('cuts fillers of the language that the server reports', async () => {
	const um = [...ANSWER.words, { word: 'um', start: 5, end: 5.5 }];
	for (const [language, fillers] of [
		['english', 2],
		['german', 1],
	] as const) {
		answer = { body: { ...ANSWER, language, words: um } };
		const { result } = await edited({ fillers: true });
		assert.equal(result.statistics?.FILLER_SOUND, fillers, language);
	}
});

await test('recognizes once for fillers and transcript, with times of the edited file', async () => {
	answer = { body: ANSWER };
	const { result, visits } = await edited({ fillers: true, stutters: true, transcription: true });
	assert.equal(visits, 1);
	const words = result.transcription?.transcription?.words ?? [];
	assert.equal(words.map(({ text }) => text).join(' '), 'so then the end');
	assertNear(words[1].start ?? NaN, 1.8 - 0.6, 0.05, 'then');
	assertNear(words[3].end ?? NaN, 4.4 - 0.6 - 0.4, 0.05, 'end');
});

await test('edits by ear when the transcription server refuses', async () => {
	answer = { status: 400, body: { error: { message: 'no' } } };
	const { result, seconds } = await edited({ fillers: true });
	assert.equal(result.statistics?.FILLER_SOUND, 0);
	assertNear(seconds, 6, 0.05, 'seconds');
	assert.match(String(result.notes), /^'local\.filler_words' had no effect: .* 400/);
	assert.ok(service.log.some((line) => line.includes('is edited without a transcript')));
});
