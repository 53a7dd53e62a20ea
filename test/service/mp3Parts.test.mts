import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { encode } from '../../service/media/encode.mts';
import { partsOf } from '../../service/media/encodeParts.mts';
import { pcmSourceOf } from '../../service/media/pcmFile.mts';
import { SPEECH_AND_MUSIC, testMp3Parts } from './support/mp3Parts.mts';
import { pcmOf } from './support/signals.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

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
