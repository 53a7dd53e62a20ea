import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import {
	assertSaysNothing,
	assertSaysTruncated,
	notesOn,
	soundIn,
	wav,
} from './support/incompleteSources.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

for (const name of ['variable.mp3', 'talk.wav']) {
	await test(`says nothing about a complete ${name}, with and without resampling`, async () => {
		await assertSaysNothing(service, name);
	});
}

for (const name of ['variable.mp3', 'talk.wav']) {
	await test(`says that ${name} is truncated, in the log and on the page`, async () => {
		await assertSaysTruncated(service, name);
	});
}

await test('says that parts of a source are damaged', async () => {
	const damaged = Buffer.from(await soundIn('talk.aac'));
	for (let at = 0; at < 5; at++) damaged.fill(0x5a, 20_000 + at * 10_000, 20_400 + at * 10_000);
	const [note] = await notesOn(service, damaged, 'talk.aac');
	assert.match(note, /the source is damaged: parts could not be read/);
	const resampled = await notesOn(service, damaged, 'talk.aac', { remove_noise: true });
	assert.match(resampled[0], /the source is damaged/);
});

await test('does not trust the length of a WAV that was written as a stream', async () => {
	const streamed = Buffer.from(wav);
	for (const unknown of [0, 0xffff_ffff, 0x7fff_f024]) {
		streamed.writeUInt32LE(unknown, 4);
		streamed.writeUInt32LE(Math.max(0, unknown - 36), 40);
		assert.deepEqual(await notesOn(service, streamed, 'stream.wav'), [], String(unknown));
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
