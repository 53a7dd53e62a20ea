import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { decodeSpeech } from '../media/decode.mts';
import { probe } from '../media/probe.mts';
import { readSpeechModel } from '../text/speech/whisper/modelFile.mts';
import { findRecognizer } from '../text/speech/whisper/findRecognizer.mts';
import { SPEECH_RATE_HZ } from '../text/speech/speech.mts';
import { whisper } from '../text/speech/whisper/whisper.mts';
import { Chance } from '../../testkit/measure/chance.mts';
import { whiteNoise } from '../../testkit/media/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { TEXT_HELP } from '../../testkit/service/textHelp.mts';

/** A model with real weights; no package that CI installs has one. */
const { AUDIO_EDITING_TEST_MODEL: modelPath } = process.env;
const RECORDING = join(import.meta.dirname, '../../testkit/media/spoken.mp3');

const NEEDS_MODEL = { skip: modelPath === undefined && 'AUDIO_EDITING_TEST_MODEL names no model' };

await test(
	'hears the words of a real recording, with whisper-cli if it is on the PATH',
	NEEDS_MODEL,
	async () => {
		await using folder = await temporaryFolder();
		const model = await readSpeechModel(String(modelPath));
		const recognizer = findRecognizer(undefined);
		await recognizer.tryModel(model);
		const path = join(folder.path, 'speech.raw');
		await writeFile(path, '');
		const source = { ...(await probe(RECORDING)), path: RECORDING, limitSeconds: 600 };
		const seconds = await decodeSpeech(source, path);
		const speech = { path, seconds, folder: folder.path };
		const heard = await whisper(model, recognizer).transcribe(speech, TEXT_HELP);
		assert.equal(heard.language, 'en');
		const text = heard.words.map((word) => word.text).join(' ');
		// The smallest models hear "raid video" next.
		assert.match(text, /welcome to the workshop/i);
		for (const [at, { startSeconds, endSeconds }] of heard.words.entries()) {
			const before = heard.words[at - 1]?.endSeconds ?? 0;
			assert.ok(startSeconds >= before && endSeconds >= startSeconds && endSeconds <= seconds);
		}
		const noise = whiteNoise(20 * SPEECH_RATE_HZ, new Chance(1)).map((sample) => 3_000 * sample);
		await writeFile(path, Int16Array.from(noise));
		const wordless = { ...speech, seconds: 20 };
		assert.deepEqual((await whisper(model, recognizer).transcribe(wordless, TEXT_HELP)).words, []);
	},
);
