import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';

import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { chainFfmpeg } from '../media/ffmpeg/chainFfmpeg.mts';
import { beepWav } from './support/realFiles/beeps.mts';

const TO_NUT = ['-f', 'nut', 'pipe:1'];
const FROM_NUT = ['-f', 'nut', '-i', 'pipe:0'];
const TO_PCM = ['-f', 's16le', 'pipe:1'];

/** Runs two ffmpegs to their end. Returns how many bytes come out, and what they complain about. */
async function runChain(first: string[], second: string[]) {
	const run = chainFfmpeg(first, second);
	let byteLength = 0;
	let piece = await run.next();
	for (; !piece.done; piece = await run.next()) byteLength += piece.value.length;
	return { byteLength, complaints: piece.value };
}

await test('ends a program that waits for more when the next one needs no more', async () => {
	await using folder = await temporaryFolder();
	const path = join(folder.path, 'source.wav');
	await execa('mkfifo', [path]);
	// The source sends two seconds of sound, and then keeps silent.
	const writing = open(path, 'w').then(async (source) => {
		await source.writeFile(beepWav().subarray(0, 200_000));
		return source;
	});
	const first = ['-probesize', '32', '-f', 'wav', '-i', `file:${path}`, '-flush_packets', '1'];
	const { byteLength } = await runChain(first.concat(TO_NUT), [
		...FROM_NUT,
		'-t',
		'0.5',
		...TO_PCM,
	]);
	assert.equal(byteLength, 0.5 * 48_000 * 2);
	// Nobody reads the source any more.
	await using source = await writing;
	await assert.rejects(source.writeFile('more'), { code: 'EPIPE' });
});

await test('says what the first program lacks, and what the second does', async () => {
	const tone = ['-f', 'lavfi', '-i', 'sine=d=1'];
	await assert.rejects(runChain(['-i', 'file:none.wav', ...TO_NUT], [...FROM_NUT, ...TO_PCM]), {
		message: /none\.wav: No such file/,
	});
	await assert.rejects(runChain([...tone, ...TO_NUT], [...FROM_NUT, '-af', 'unknown', ...TO_PCM]), {
		message: /No such filter: 'unknown'/,
	});
	assert.equal((await runChain([...tone, ...TO_NUT], [...FROM_NUT, ...TO_PCM])).complaints, '');
});
