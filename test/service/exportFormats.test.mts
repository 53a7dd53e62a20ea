import assert from 'node:assert/strict';
import { test } from 'node:test';

import { exportFormatSchema } from '../../service/shared/contract.mts';
import { lengthSeconds } from '../support/recording.ts';
import { decodedSeconds, levelDb, probe, samplesOf } from './support/media.mts';
import { TALK, talk } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

/** Expected output for each format; the source is WAV. */
const EXPECTED = {
	auto: { extension: 'wav', codec: 'pcm_s16le', container: /^wav$/, type: 'audio/wav' },
	wav: { extension: 'wav', codec: 'pcm_s16le', container: /^wav$/, type: 'audio/wav' },
	mp3: { extension: 'mp3', codec: 'mp3', container: /^mp3$/, type: 'audio/mpeg' },
	flac: { extension: 'flac', codec: 'flac', container: /^flac$/, type: 'audio/flac' },
	m4a: { extension: 'm4a', codec: 'aac', container: /\bm4a\b/, type: 'audio/mp4' },
	opus: { extension: 'opus', codec: 'opus', container: /^ogg$/, type: 'audio/ogg' },
	aac: { extension: 'aac', codec: 'aac', container: /^aac$/, type: 'audio/aac' },
} as const;

const files = new Map<string, Buffer>();

for (const format of exportFormatSchema.options) {
	await test(`writes export_format ${format} with the right codec, length and sound`, async () => {
		const expected = EXPECTED[format];
		const config = { export_format: format, remove_noise: false } as const;
		const { result, answer, file } = await ann.finish(talk, config, 'talk.wav');
		assert.equal(result.filename, `talk-edited.${expected.extension}`);
		assert.equal(answer.contentType, expected.type);
		const { codec, container } = await probe(file);
		assert.equal(codec, expected.codec);
		assert.match(container, expected.container);
		const seconds = await decodedSeconds(file);
		const padding = Math.abs(seconds - lengthSeconds(TALK));
		assert.ok(padding < 0.15, `${seconds} s`);
		const loss =
			levelDb(await samplesOf(file), 0.3, 1.8) - levelDb(await samplesOf(talk), 0.3, 1.8);
		assert.ok(Math.abs(loss) < 1, `${loss} dB`);
		files.set(expected.extension, file);
	});
}

for (const extension of ['mp3', 'flac', 'm4a', 'opus', 'aac'] as const) {
	await test(`keeps the format of an ${extension} source with export_format auto`, async () => {
		const source = files.get(extension);
		assert.ok(source);
		const config = { remove_noise: false } as const;
		const { result, file } = await ann.finish(source, config, `talk.${extension}`);
		assert.equal(result.filename, `talk-edited.${extension}`);
		assert.equal((await probe(file)).codec, EXPECTED[extension].codec);
	});
}
