import assert from 'node:assert/strict';

import type { exportFormatSchema } from '../../../service/shared/contract.mts';
import { lengthSeconds } from '../../support/recording.ts';
import type { Client } from './client.mts';
import { convertedTo, decodedSeconds, levelDb, probe, samplesOf } from './media.mts';
import { TALK, talk } from './recordings.mts';

type Format = (typeof exportFormatSchema.options)[number];

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

/** Asserts that the talk, exported in a format, has the right codec, length and sound. */
export async function assertWrites(client: Client, format: Format): Promise<void> {
	const expected = EXPECTED[format];
	const config = { export_format: format, remove_noise: false } as const;
	const { result, answer, file } = await client.finish(talk, config, 'talk.wav');
	assert.equal(result.filename, `talk-edited.${expected.extension}`);
	assert.equal(answer.contentType, expected.type);
	const { codec, container } = await probe(file);
	assert.equal(codec, expected.codec);
	assert.match(container, expected.container);
	const seconds = await decodedSeconds(file);
	const padding = Math.abs(seconds - lengthSeconds(TALK));
	assert.ok(padding < 0.15, `${seconds} s`);
	const loss = levelDb(await samplesOf(file), 0.3, 1.8) - levelDb(await samplesOf(talk), 0.3, 1.8);
	assert.ok(Math.abs(loss) < 1, `${loss} dB`);
}

/** Asserts that export_format auto keeps the format of the talk. */
export async function assertKeepsFormat(
	client: Client,
	format: Exclude<Format, 'auto'>,
): Promise<void> {
	const source = await convertedTo(talk, format);
	const { result, file } = await client.finish(source, { remove_noise: false }, `talk.${format}`);
	assert.equal(result.filename, `talk-edited.${format}`);
	assert.equal((await probe(file)).codec, EXPECTED[format].codec);
}
