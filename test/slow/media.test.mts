import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNear } from '../service/support/assertNear.mts';
import { finishedFile } from '../service/support/client.mts';
import { assertKeepsFormat, assertWrites } from '../service/support/exportFormats.mts';
import { assertSaysNothing, assertSaysTruncated } from '../service/support/incompleteSources.mts';
import { assertKeepsMusic } from '../service/support/keptMusic.mts';
import { convertedTo, samplesOf } from '../service/support/media.mts';
import { testMp3Parts } from '../service/support/mp3Parts.mts';
import { QUICK, startService } from '../service/support/testService.mts';
import {
	assertCopiesPicture,
	assertCuts,
	assertInSync,
	OTHER_CONTAINERS,
	OTHER_HARD_CASES,
} from '../service/support/videoCases.mts';
import { fileNamed, unzipped } from '../service/support/zip.mts';
import { makeRecording } from '../support/recording.ts';

await using service = await startService(...QUICK);
const { ann } = service;

for (const format of ['wav', 'flac', 'm4a', 'opus', 'aac'] as const) {
	await test(`writes export_format ${format} with the right codec, length and sound`, async () => {
		await assertWrites(ann, format);
	});
}

for (const format of ['flac', 'm4a', 'opus', 'aac'] as const) {
	await test(`keeps the format of an ${format} source with export_format auto`, async () => {
		await assertKeepsFormat(ann, format);
	});
}

/** Formats whose files do not say how long they are. */
const WITHOUT_LENGTH = ['no-header.mp3', 'talk.ogg', 'talk.aac'];

const WITH_LENGTH = ['constant.mp3', 'talk.flac', 'talk.m4a', 'talk.aiff', 'talk.mkv'];

for (const name of WITHOUT_LENGTH) {
	await test(`says nothing about a complete ${name}, with and without resampling`, async () => {
		await assertSaysNothing(service, name);
	});
}

for (const name of WITH_LENGTH) {
	await test(`says that ${name} is truncated, in the log and on the page, and nothing if it is complete`, async () => {
		await assertSaysTruncated(service, name);
	});
}

for (const container of OTHER_CONTAINERS) {
	const { fileName } = container.plan;
	await test(`cuts ${fileName} in its container, with sound and picture of equal length`, async () => {
		await assertCuts(ann, container);
	});

	await test(`copies the picture of ${fileName} bit by bit without cuts and enhances only the sound`, async () => {
		await assertCopiesPicture(ann, container);
	});
}

for (const plan of OTHER_HARD_CASES) {
	await test(`keeps sound and picture of ${plan.fileName} in sync within a frame after cuts`, async () => {
		await assertInSync(plan);
	});
}

await test('keeps tracks of different rates in sync to the sample over many cuts', async () => {
	const phrases = Array.from({ length: 24 }, (_, i) => [0.7 + (i % 5) / 7, 1 + (i % 7) / 11]);
	const long = makeRecording({ partsSeconds: phrases.flat() });
	const finer = await convertedTo(long, 'wav', '-ar', '44100');
	const config = { remove_noise: false, long_silences: true } as const;
	const edit = await ann.runTracks({ 'a.wav': long, 'b.wav': finer }, config);
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

await test('leaves music untouched with keep_music and Studio Sound, but reduces noise', async () => {
	await assertKeepsMusic(ann, { studio_sound: true, autoeq: true });
});

for (const rates of [
	[16_000, 16_000, 1],
	[16_000, 44_100, 1],
	[48_000, 48_000, 1],
] as const) {
	await testMp3Parts(rates);
}
