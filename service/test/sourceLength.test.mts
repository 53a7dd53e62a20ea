import assert from 'node:assert/strict';
import { stat, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { decode } from '../media/decode.mts';
import { maxLengthSeconds } from '../media/lengthLimit.mts';
import { makeRecording } from '../../testkit/media/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';
import { send } from '../../testkit/service/client.mts';
import { convertedTo } from '../../testkit/service/media.mts';
import { PLAIN } from '../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

const LIMIT_SECONDS = 20;

await using limited = await startService(
	...QUICK,
	'--max-source-hours',
	String(LIMIT_SECONDS / 3_600),
);
await using service = await startService(...QUICK);
const { ann } = service;

/** Sound as long as the limit. */
const wav = makeRecording({ partsSeconds: [LIMIT_SECONDS] });

/** Returns digital silence, which compresses to very little. */
async function silence(seconds: number, channels: number, rateHz: number, format = 'flac') {
	const source = ['-f', 'lavfi', '-i', `anullsrc=r=${rateHz}`, '-t', String(seconds), '-map', '1'];
	return await convertedTo(wav, format, ...source, '-ac', String(channels));
}

/** The last line of the log about the edit of a file. */
async function outcomeOf(file: Buffer, name: string, remove_noise = false): Promise<string> {
	const { task_id: id } = await limited.ann.run(file, { remove_noise }, name);
	return limited.logOf(id).at(-1) ?? '';
}

await test('fails an edit of a recording over the limit and names the limit', async () => {
	const tooLong = /FAILURE \(.*too long: with 2 channels at 48000 Hz .* 0\.00556 hours/;
	assert.match(await outcomeOf(await silence(30, 2, 48_000), 'a.flac'), tooLong);
	assert.match(await outcomeOf(await silence(19, 2, 48_000), 'a.flac'), /SUCCESS/);
});

await test('lowers the limit for more channels or a higher rate', async () => {
	const eight = await silence(6, 8, 48_000);
	assert.match(await outcomeOf(eight, 'a.flac'), /FAILURE \(.*too long: with 8 channels/);
	assert.equal(maxLengthSeconds(12, { channels: 1, sampleRateHz: 8_000 }), 12);
	assert.equal(maxLengthSeconds(12, { channels: 8, sampleRateHz: 96_000 }), 1.5);
});

await test('measures a file without a stated length while decoding', async () => {
	for (const removeNoise of [false, true]) {
		const stream = await silence(30, 2, 44_100, 'aac');
		assert.match(await outcomeOf(stream, 'a.aac', removeNoise), /FAILURE \(.*too long: /);
	}
});

await using temporary = await temporaryFolder();

await test('stops decoding shortly after the limit, with and without resampling', async () => {
	const path = join(temporary.path, 'long.flac');
	await writeFile(path, await silence(600, 2, 44_100));
	const source = { path, channels: 2, sampleRateHz: 44_100, limitSeconds: 10 };
	for (const rateHz of [44_100, 48_000]) {
		const output = join(temporary.path, 'out.f32');
		await assert.rejects(decode(source, output, rateHz), /too long/);
		const { size } = await stat(output);
		assert.ok(size <= 13 * rateHz * 8, `${size} bytes`);
	}
});

/** How to convert the sound to the forms in which people send it. */
const CONVERSIONS: Record<string, [format: string, ...args: string[]]> = {
	'constant.mp3': ['mp3', '-b:a', '64k'],
	'variable.mp3': ['mp3', '-q:a', '4'],
	'no-header.mp3': ['mp3', '-q:a', '4', '-write_xing', '0'],
	'talk.flac': ['flac'],
	'talk.m4a': ['m4a', '-movflags', '+faststart'],
	'talk.aiff': ['aiff'],
	'talk.mkv': ['mkv', '-c:a', 'libopus'],
	'talk.ogg': ['ogg', '-c:a', 'libvorbis'],
	'talk.aac': ['aac'],
};

/** Returns the sound in the form that belongs to a file name. */
const soundIn = async (name: string) =>
	name in CONVERSIONS ? await convertedTo(wav, ...CONVERSIONS[name]) : wav;

/** Edits a file, which succeeds. @returns the edit's id */
async function edited(file: Buffer, name: string, config = {}): Promise<string> {
	const { task_id: id, status } = await ann.run(file, { remove_noise: false, ...config }, name);
	assert.equal(status, 'SUCCESS');
	return id;
}

/** Returns the notes on an edit, from the log. */
const notesIn = (id: string) => service.logOf(id).filter((line) => line.includes('note: '));

/** Returns the notes on an edit that succeeds, from the log. */
async function notesOn(file: Buffer, name: string, config = {}): Promise<string[]> {
	return notesIn(await edited(file, name, config));
}

/** Asserts that an edit of a complete file has no notes, with and without resampling. */
async function assertSaysNothing(name: string): Promise<void> {
	const whole = await soundIn(name);
	assert.deepEqual(await notesOn(whole, name), []);
	assert.deepEqual(await notesOn(whole, name, { remove_noise: true }), []);
}

// Their files do not say how long they are.
for (const name of casesOf([], ['no-header.mp3', 'talk.ogg', 'talk.aac'])) {
	await test(`says nothing about a complete ${name}, with and without resampling`, async () => {
		await assertSaysNothing(name);
	});
}

for (const name of casesOf(
	['variable.mp3', 'talk.wav'],
	['constant.mp3', 'talk.flac', 'talk.m4a', 'talk.aiff', 'talk.mkv'],
)) {
	await test(`says that ${name} is truncated, in the log and on the page, and nothing if it is complete`, async () => {
		await assertSaysNothing(name);
		const whole = await soundIn(name);
		const id = await edited(whole.subarray(0, Math.round(whole.length * 0.6)), name);
		const notes = notesIn(id);
		assert.equal(notes.length, 1);
		const [, read, stated] = /only ([\d.]+) of ([\d.]+) s could be read/.exec(notes[0]) ?? [];
		assertNear(Number(stated), LIMIT_SECONDS, 0.2, notes[0]);
		assertNear(Number(read), LIMIT_SECONDS * 0.6, 2, notes[0]);
		const { text } = await send('GET', `${service.url}/?open=${id}`);
		assert.ok(text.includes(`only ${read} of ${stated} s`));
	});
}

await test('says that parts of a source are damaged', async () => {
	const damaged = Buffer.from(await soundIn('talk.aac'));
	for (let at = 0; at < 5; at++) damaged.fill(0x5a, 20_000 + at * 10_000, 20_400 + at * 10_000);
	for (const remove_noise of [false, true]) {
		const [note] = await notesOn(damaged, 'talk.aac', { remove_noise });
		assert.match(note, /the source is damaged: parts could not be read/);
	}
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
	const { task_id: id } = await ann.runTracks({ 'host.wav': wav, 'guest.wav': half }, PLAIN);
	const notes = service.logOf(id).filter((line) => line.includes('note: '));
	assert.equal(notes.length, 1);
	assert.match(notes[0], /note: guest\.wav: the source is incomplete: only 10\.0 of 20\.0 s/);
});
