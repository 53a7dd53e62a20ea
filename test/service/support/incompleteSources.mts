import assert from 'node:assert/strict';

import { makeRecording } from '../../support/recording.ts';
import { send } from './client.mts';
import { convertedTo } from './media.mts';
import type { TestService } from './testService.mts';

const SECONDS = 20;

/** Sound of 20 s. */
export const wav = makeRecording({ partsSeconds: [SECONDS] });

/** How to convert the sound to the forms in which people send it. */
const CONVERSIONS: Readonly<Record<string, readonly [format: string, ...args: string[]]>> = {
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
export async function soundIn(name: string): Promise<Buffer> {
	return name in CONVERSIONS ? await convertedTo(wav, ...CONVERSIONS[name]) : wav;
}

/** Returns the notes on an edit that succeeds, from the log. */
export async function notesOn(
	service: TestService,
	file: Buffer,
	name: string,
	config = {},
): Promise<string[]> {
	const { task_id: id, status } = await service.ann.run(
		file,
		{ remove_noise: false, ...config },
		name,
	);
	assert.equal(status, 'SUCCESS');
	return service.logOf(id).filter((line) => line.includes('note: '));
}

/** Asserts that an edit of a complete file has no notes, with and without resampling. */
export async function assertSaysNothing(service: TestService, name: string): Promise<void> {
	const whole = await soundIn(name);
	assert.deepEqual(await notesOn(service, whole, name), []);
	assert.deepEqual(await notesOn(service, whole, name, { remove_noise: true }), []);
}

/** Asserts that log and page say how much of a truncated file could be read, and nothing on a complete one. */
export async function assertSaysTruncated(service: TestService, name: string): Promise<void> {
	await assertSaysNothing(service, name);
	const whole = await soundIn(name);
	const part = whole.subarray(0, Math.round(whole.length * 0.6));
	const notes = await notesOn(service, part, name);
	assert.equal(notes.length, 1);
	const [, read, stated] = /only ([\d.]+) of ([\d.]+) s could be read/.exec(notes[0]) ?? [];
	assert.ok(Math.abs(Number(stated) - SECONDS) < 0.2, notes[0]);
	assert.ok(Math.abs(Number(read) - SECONDS * 0.6) < 2, notes[0]);
	assert.ok((await send('GET', service.url)).text.includes(`only ${read} of ${stated} s`));
}
