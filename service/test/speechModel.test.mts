import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { Chance } from '../../testkit/measure/chance.mts';
import { readSettings } from '../shared/settings.mts';
import { withoutCrosstalk } from '../text/crosstalk.mts';
import { findSpeechModel } from '../text/speech/whisper/findSpeechModel.mts';
import { readSpeechModel } from '../text/speech/whisper/modelFile.mts';
import { recognized } from '../text/speech/whisper/recognizer.mts';
import { findRecognizer } from '../text/speech/whisper/findRecognizer.mts';
import { wordsOfTokens } from '../text/speech/whisper/tokenWords.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { tryDamagedModels } from './support/damagedModels.mts';
import { writeRandomModel } from '../../testkit/service/randomModel.mts';
import { talk } from '../../testkit/service/recordings.mts';
import { wordsWrongAtSeams } from '../../testkit/service/seamTrial.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using folder = await temporaryFolder();
const modelPath = join(folder.path, 'ggml-random.bin');
await writeRandomModel(modelPath);

await test('transcribes with the real recognizer and the model of --speech-model', async () => {
	await using service = await startService(...QUICK, '--speech-model', modelPath);
	const config = { transcription: true, fillers: true };
	const edit = await service.ann.run(talk, config, undefined, { word_check: true });
	assert.equal(edit.status, 'SUCCESS');
	const log = service.logOf(edit.task_id).join('\n');
	assert.match(
		log,
		/transcribed by ggml-random\.bin \(whisper, 8 MB, 99 languages\)(?:, \S+)? before cut/,
	);
	assert.match(log, /is heard as \p{Lu}/u);
	// What a random model hears is nonsense, but it is in the recording.
	const { paragraphs } = edit.result?.transcription ?? { paragraphs: [] };
	assert.ok(paragraphs.length > 0);
	for (const { start = -1, end = 99 } of paragraphs)
		assert.ok(start >= 0 && start <= end && end <= 12.5);
});

await test('finds the largest model in the storage folder by itself, and starts beside a damaged one', async () => {
	await using storage = await temporaryFolder();
	const models = join(storage.path, 'models');
	const log: string[] = [];
	const found = () =>
		findSpeechModel(
			{ speechModel: undefined, modelFolder: models },
			findRecognizer(undefined),
			(line) => log.push(line),
		);
	assert.equal(await found(), undefined);
	await mkdir(models);
	await copyFile(modelPath, join(models, 'ggml-base.bin'));
	await writeFile(join(models, 'ggml-tiny.bin'), 'small');
	await writeFile(join(models, 'ggml-small.bin.part'), Buffer.alloc(9_000_000));
	await writeFile(join(models, 'ggml-medium.bin'), Buffer.alloc(20_000_000));
	const model = await found();
	assert.match(log.join(), /ggml-medium\.bin is not used: not a complete speech model/);
	assert.equal(model?.name, 'ggml-base.bin (whisper, 8 MB, 99 languages)');
});

await test('refuses at its start what is no model, and says what it should be', async () => {
	const other = join(folder.path, 'speech.wav');
	await writeFile(other, talk);
	await assert.rejects(startService('--speech-model', other), {
		name: 'WrongUsage',
		message: /^--speech-model .*speech\.wav: not a complete .* such as ggml-base\.bin/,
	});
	await assert.rejects(startService('--speech-model', join(folder.path, 'none')), {
		name: 'WrongUsage',
		message: /^--speech-model .*none: there is no such file$/,
	});
	const both = ['--speech-model', other, '--transcription-url', 'http://127.0.0.1/v1'];
	assert.throws(() => readSettings(both), /--speech-model excludes --transcription-url/);
});

await test('refuses or loads models that are damaged in thirty ways, and neither crashes nor hangs', async () => {
	const { tried, faults } = await tryDamagedModels(join(folder.path, 'damaged.bin'));
	assert.ok(tried >= 30);
	assert.deepEqual(faults, []);
});

await test('kills the recognizer with its edit', async () => {
	const model = await readSpeechModel(modelPath);
	const path = join(folder.path, 'hour.raw');
	await writeFile(path, Buffer.alloc(16_000 * 2 * 60, 'sound'));
	const stopping = new AbortController();
	const pieces = Array.from({ length: 500 }, () => [{ startSeconds: 0, endSeconds: 25 }]);
	const speech = { path, seconds: 60, folder: folder.path };
	const reading = async () => {
		for await (const piece of recognized(model, speech, pieces, stopping.signal)) {
			assert.ok(piece.segments.length >= 0);
			stopping.abort(new Error('deleted'));
		}
	};
	await assert.rejects(reading(), /deleted/);
	const recognizers = ['-P', String(process.pid), '-f', 'recognizerProcess'];
	await eventually('no recognizer', () => spawnSync('pgrep', recognizers).stdout.length === 0);
});

await test('loses and doubles no word at the seams of a long recording', async () => {
	for (const seed of [1, 2]) {
		assert.equal(await wordsWrongAtSeams(new Chance(seed), 600, folder.path), 0);
	}
});

const PIECE = [{ startSeconds: 10, endSeconds: 30 }];

await test('makes words of tokens, with their punctuation and without notes and pauses', () => {
	const tokens = (...texts: string[]) =>
		texts.map((text, at) => ({ text, t0: 100 * at, t1: 100 * at + 100 }));
	const wordsOf = (result: string, ...texts: string[]) =>
		wordsOfTokens({ language: 'en', result, segments: tokens(...texts) }, PIECE);
	const textOf = (...texts: string[]) => wordsOf(texts.join(''), ...texts).map(({ text }) => text);
	assert.deepEqual(textOf(' Pod', 'cast', 's', ',', ' yes', '.'), ['Podcasts,', 'yes.']);
	const noted = textOf(' [', 'Music', ']', ' Hello', ' (', 'quietly', ')');
	assert.deepEqual(noted, ['Hello', '(quietly)']);
	assert.deepEqual(textOf(' (', 'soft', ' laugh', ')'), []);
	assert.deepEqual(textOf(' Call', ' (', '555', ')', ' now'), ['Call', '(555)', 'now']);
	assert.deepEqual(textOf('今', '日', 'は', '。'), ['今', '日', 'は。']);
	// Tokens that are parts of characters.
	const pieces = [' नम', '\uFFFD', '\uFFFD', 'ते', ',', ' \uFFFD', '\uFFFD', '日'];
	const parts = wordsOf(' नमस्ते, 今日', ...pieces).map(({ text }) => text);
	assert.deepEqual(parts, ['नमस्ते,', '今', '日']);
	const segments = [{ text: ' I', t0: 0, t1: 9_000 }];
	const [word] = wordsOfTokens({ language: 'en', result: ' I', segments }, PIECE);
	assert.deepEqual([word.startSeconds, Number(word.endSeconds.toFixed(2))], [10, 10.52]);
});

await test('writes words that two microphones heard once, and words that two people say twice', () => {
	/** A track whose speaker is at `ownDb`, and who is silent here except at these times. */
	const track = (ownDb: number, starts: Record<string, number>, own = Object.values(starts)) => {
		const levels = new Float32Array(2_000).fill(ownDb - 40);
		levels.fill(ownDb, 1_000);
		for (const start of own) levels.fill(ownDb, 100 * start, 100 * start + 40);
		const words = Object.entries(starts).map(([text, startSeconds]) => {
			return { text, startSeconds, endSeconds: startSeconds + 0.3 };
		});
		return { words, levels };
	};
	const textsOf = (...tracks: Array<ReturnType<typeof track>>) =>
		withoutCrosstalk(tracks).map((words) => words.map(({ text }) => text));
	const host = track(-20, { Welcome: 1, to: 1.4, 'it.': 1.7, Yes: 5 });
	// The guest's microphone is set lower.
	const guest = track(-35, { welcome: 1.1, to: 1.5, the: 1.8, yes: 5.1 }, [5]);
	assert.deepEqual(textsOf(host, guest), [
		['Welcome', 'to', 'it.', 'Yes'],
		['the', 'yes'],
	]);
	const one = track(-20, { in: 1, the: 1.3, morning: 1.6 });
	const other = track(-28, { take: 0.9, the: 1.35, train: 1.7 });
	assert.equal(textsOf(one, other).flat().length, 6);
});
