import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { growingChunks } from '../../service/media/growingPcm.mts';
import { CHUNK_FRAMES } from '../../service/media/pcmFile.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using folder = await temporaryFolder();

const CHANNELS = 2;

async function readWhileWritten(path: string, written: Promise<unknown>, signal?: AbortSignal) {
	const samples: number[] = [];
	const input = { path, channels: CHANNELS, sampleRateHz: 48_000 };
	for await (const chunk of growingChunks(input, written, signal)) {
		for (const sample of chunk) samples.push(sample);
	}
	return samples;
}

await test('reads a file to its end that is created late, and written in odd pieces', async () => {
	const path = join(folder.path, 'late.f32');
	const whole = Float32Array.from({ length: 5 * CHUNK_FRAMES }, (_, i) => i / 1e6);
	const bytes = Buffer.from(whole.buffer);
	const write = async () => {
		await setTimeout(30);
		for (let at = 0; at < bytes.length; at += 300_001) {
			await appendFile(path, bytes.subarray(at, at + 300_001));
			await setTimeout(3);
		}
	};
	const read = await readWhileWritten(path, write());
	assert.equal(read.length, whole.length);
	// Comparing with `deepEqual` would print a million samples.
	assert.ok(read.every((sample, i) => sample === whole[i]));
});

await test('leaves out a frame that was never completed, and ends if there is no file', async () => {
	const path = join(folder.path, 'broken.f32');
	await writeFile(path, Buffer.from(Float32Array.of(1, 2, 3).buffer));
	const failed = Promise.reject(new Error('decoding failed'));
	assert.deepEqual(await readWhileWritten(path, failed), [1, 2]);
	assert.deepEqual(await readWhileWritten(join(folder.path, 'none'), Promise.resolve()), []);
});

await test('stops when aborted, also while it waits for more', async () => {
	const path = join(folder.path, 'slow.f32');
	await writeFile(path, '');
	const stopping = new AbortController();
	const never = new Promise(() => undefined);
	const reading = readWhileWritten(path, never, stopping.signal);
	await setTimeout(20);
	stopping.abort();
	await assert.rejects(reading, { name: 'AbortError' });
});
