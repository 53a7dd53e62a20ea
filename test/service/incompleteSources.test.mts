import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { makeRecording } from '../support/recording.ts';
import { send } from './support/client.mts';
import { convertedTo } from './support/media.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const SECONDS = 20;
const wav = makeRecording({ partsSeconds: [SECONDS] });

/** The recording in the forms in which people send it. */
const SOURCES = {
	'constant.mp3': await convertedTo(wav, 'mp3', '-b:a', '64k'),
	'variable.mp3': await convertedTo(wav, 'mp3', '-q:a', '4'),
	'no-header.mp3': await convertedTo(wav, 'mp3', '-q:a', '4', '-write_xing', '0'),
	'talk.wav': wav,
	'talk.flac': await convertedTo(wav, 'flac'),
	'talk.m4a': await convertedTo(wav, 'm4a', '-movflags', '+faststart'),
	'talk.aiff': await convertedTo(wav, 'aiff'),
	'talk.mkv': await convertedTo(wav, 'mkv', '-c:a', 'libopus'),
	'talk.ogg': await convertedTo(wav, 'ogg', '-c:a', 'libvorbis'),
	'talk.aac': await convertedTo(wav, 'aac'),
};

/** Formats whose files say how long they are. */
const SAY_LENGTH = [
	...(['constant.mp3', 'variable.mp3', 'talk.wav', 'talk.flac', 'talk.m4a'] as const),
	...(['talk.aiff', 'talk.mkv'] as const),
];

/** The notes on an edit that succeeds, from the log. */
async function notesOn(file: Buffer, name: string, config = {}): Promise<string[]> {
	const { task_id: id, status } = await ann.run(file, { remove_noise: false, ...config }, name);
	assert.equal(status, 'SUCCESS');
	return service.logOf(id).filter((line) => line.includes('note: '));
}

for (const [name, whole] of Object.entries(SOURCES)) {
	await test(`says nothing about a complete ${name}, with and without resampling`, async () => {
		assert.deepEqual(await notesOn(whole, name), []);
		assert.deepEqual(await notesOn(whole, name, { remove_noise: true }), []);
	});
}

for (const name of SAY_LENGTH) {
	await test(`says that ${name} is truncated, in the log and on the page`, async () => {
		const whole = SOURCES[name];
		const notes = await notesOn(whole.subarray(0, Math.round(whole.length * 0.6)), name);
		assert.equal(notes.length, 1);
		const [, read, stated] = /only ([\d.]+) of ([\d.]+) s could be read/.exec(notes[0]) ?? [];
		assert.ok(Math.abs(Number(stated) - SECONDS) < 0.2, notes[0]);
		assert.ok(Math.abs(Number(read) - SECONDS * 0.6) < 2, notes[0]);
		assert.ok((await send('GET', service.url)).text.includes(`only ${read} of ${stated} s`));
	});
}

await test('says that parts of a source are damaged', async () => {
	const damaged = Buffer.from(SOURCES['talk.aac']);
	for (let at = 0; at < 5; at++) damaged.fill(0x5a, 20_000 + at * 10_000, 20_400 + at * 10_000);
	const [note] = await notesOn(damaged, 'talk.aac');
	assert.match(note, /the source is damaged: parts could not be read/);
	const resampled = await notesOn(damaged, 'talk.aac', { remove_noise: true });
	assert.match(resampled[0], /the source is damaged/);
});

await test('does not trust the length of a WAV that was written as a stream', async () => {
	const streamed = Buffer.from(wav);
	for (const unknown of [0, 0xffff_ffff, 0x7fff_f024]) {
		streamed.writeUInt32LE(unknown, 4);
		streamed.writeUInt32LE(Math.max(0, unknown - 36), 40);
		assert.deepEqual(await notesOn(streamed, 'stream.wav'), [], String(unknown));
	}
});

await test('adds the note to completed tasks and to the e-mail', async () => {
	const files = [await ann.upload(wav.subarray(0, wav.length / 2))];
	const config = { remove_noise: false, send_email: true } as const;
	const id = await ann.create({ files, template_id: 2, config });
	await ann.ended(id);
	const { text } = await ann.call('GET', '/v2/completed_tasks/2');
	const note = /the source is incomplete: only 10\.0 of 20\.0 s could be read/;
	assert.match(text, note);
	const mail = await readFile(join(service.storage, 'outbox', `${id}.eml`), 'latin1');
	assert.match(mail.replaceAll('=\r\n', ''), note);
});

await test('names the incomplete one of several tracks', async () => {
	const half = wav.subarray(0, wav.length / 2);
	const config = { remove_noise: false } as const;
	const { task_id: id } = await ann.runTracks({ 'host.wav': wav, 'guest.wav': half }, config);
	const notes = service.logOf(id).filter((line) => line.includes('note: '));
	assert.equal(notes.length, 1);
	assert.match(notes[0], /note: guest\.wav: the source is incomplete: only 10\.0 of 20\.0 s/);
});
