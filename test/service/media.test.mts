import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { encode } from '../../service/media/encode.mts';
import { partsOf } from '../../service/media/encodeParts.mts';
import { growingChunks } from '../../service/media/growingPcm.mts';
import { CHUNK_FRAMES, pcmSourceOf } from '../../service/media/pcmFile.mts';
import { SPEECH_AND_MUSIC, testMp3Parts } from './support/mp3Parts.mts';
import { pcmOf } from './support/signals.mts';
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

for (const rates of [
	[16_000, 22_050, 1],
	[8_000, 8_000, 2],
] as const) {
	await testMp3Parts(rates);
}

await test('splits a recording at frame boundaries, into parts of a minimum length', () => {
	const whole = {
		frames: 3_600 * 44_100,
		rateHz: 44_100,
		inputRateHz: 48_000,
		frameSamples: 1_152,
	};
	const parts = partsOf(whole, 4);
	assert.equal(parts.length, 4);
	for (const { start, from } of parts) {
		assert.equal((start - from) % 1_152, 0);
		assert.equal((from * 48_000) % 44_100, 0);
	}
	assert.equal(parts.at(-1)?.to, whole.frames);
	assert.equal(partsOf({ ...whole, frames: 59 * 44_100 }, 4).length, 1);
});

await test('stops all parts when one fails or on abort', async () => {
	await using temporary = await temporaryFolder();
	const folder = temporary.path;
	const pcm = await pcmOf(SPEECH_AND_MUSIC, join(folder, 'in'));
	const source = pcmSourceOf(pcm);
	const broken = {
		...source,
		async *chunks(start: number, end: number) {
			if (start > 0) throw new Error('the disk is gone');
			yield* source.chunks(start, end);
		},
	};
	const info = {
		...{ durationSeconds: null, sampleRateHz: 16_000, channels: 1, codec: 'pcm_s16le' },
		...{ container: 'wav', hasVideo: false, bitsPerSample: 16, bitRate: null },
	};
	const request = {
		info,
		format: 'mp3',
		outputPath: join(folder, 'out.mp3'),
		mostParts: 2,
	} as const;
	const lengths = { sourceRateFrames: pcm.frames };
	await assert.rejects(encode({ ...request, ...lengths, audio: broken }), /the disk is gone/);
	const aborted = AbortSignal.abort(new Error('stopped'));
	await assert.rejects(encode({ ...request, ...lengths, audio: source }, aborted), /stopped/);
});
