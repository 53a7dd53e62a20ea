import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNear } from '../service/support/assertNear.mts';
import { finishedFile } from '../service/support/client.mts';
import { convertedTo, samplesOf } from '../service/support/media.mts';
import { QUICK, startService } from '../service/support/testService.mts';
import { fileNamed, unzipped } from '../service/support/zip.mts';
import { makeRecording } from '../support/recording.ts';

await using service = await startService(...QUICK);

await test('keeps tracks of different rates in sync to the sample over many cuts', async () => {
	const phrases = Array.from({ length: 24 }, (_, i) => [0.7 + (i % 5) / 7, 1 + (i % 7) / 11]);
	const long = makeRecording({ partsSeconds: phrases.flat() });
	const finer = await convertedTo(long, 'wav', '-ar', '44100');
	const config = { remove_noise: false, long_silences: true } as const;
	const edit = await service.ann.runTracks({ 'a.wav': long, 'b.wav': finer }, config);
	const { result, file } = await finishedFile(edit);
	const files = await unzipped(file);
	assert.ok((result.statistics?.DEADAIR ?? 0) > 20);
	const one = await samplesOf(fileNamed(files, 'a-edited.wav'));
	const other = await samplesOf(fileNamed(files, 'b-edited.wav'));
	assertNear(other.length, one.length, 1, 'samples');
	const from = one.length - 16_000 * 2;
	const distance = (shift: number) => {
		let sum = 0;
		for (let i = from; i < one.length - 100; i++) sum += (one[i] - other[i + shift]) ** 2;
		return sum;
	};
	const shifts = Array.from({ length: 41 }, (_, i) => i - 20);
	const best = shifts.reduce((a, b) => (distance(b) < distance(a) ? b : a));
	assert.ok(Math.abs(best) <= 1, `the tracks are ${best} samples apart at the end`);
});
