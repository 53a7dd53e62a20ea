import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { transcriptionServer } from '../../service/text/speech/transcriptionServer.mts';
import { TransientTrouble } from '../../service/shared/failures.mts';
import { SPEECH_RATE_HZ } from '../../service/text/speech/speech.mts';
import { startOpenAiServer, transcriptionRequestOf } from './support/openAiServer.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

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
		return {
			body: { language: 'german', segments: [{ text: ' One two.', start: 1, end: 2 }] },
		};
	});
	const { name, transcribe } = transcriptionServer({
		...{ url: `${server.url}/v1`, key: undefined, model: 'whisper-1' },
	});
	assert.ok(name.includes(server.url));
	const { words, language } = await transcribe(
		{ path, seconds, folder: folder.path },
		{
			signal: new AbortController().signal,
			say: () => undefined,
			takeTurn: () => Promise.resolve(),
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
	assert.deepEqual(
		words.map(({ text }) => text),
		['One', 'two.', 'One', 'two.', 'One', 'two.'],
	);
	assert.ok(Math.abs(words[2].startSeconds - (first + 1)) < 0.01);
	assert.ok(Math.abs(words[5].endSeconds - (first + second + 2)) < 0.01);
	assert.ok(Math.abs(words[0].endSeconds - words[1].startSeconds) < 0.01);
});
