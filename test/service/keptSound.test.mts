import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { Chance } from '../../bench/eval/chance.mts';
import { packSound, unpackSound } from '../../service/engine/review/keptSound.mts';
import { readFrames } from '../../service/media/pcmFile.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

/** More minutes than one program unpacks, and a part of one. */
const SECONDS = 21.5 * 60;
const SAMPLE_RATE_HZ = 8_000;

await using folder = await temporaryFolder();

await test('a sound of many files comes back bit by bit, each file in its place', async () => {
	const chance = new Chance(7);
	const samples = Float32Array.from({ length: SECONDS * SAMPLE_RATE_HZ }, () => chance.normal());
	const format = { sampleRateHz: SAMPLE_RATE_HZ, channels: 1, frames: samples.length };
	const sound = {
		...format,
		async *chunks(start: number, end: number) {
			yield await Promise.resolve(samples.subarray(start, end));
		},
	};
	const workFolder = join(folder.path, 'work');
	await mkdir(workFolder);
	await packSound(sound, folder.path, 0);
	const unpacked = await unpackSound(format, 0, { folder: folder.path, workFolder });
	const back = await readFrames(unpacked, 0, samples.length);
	assert.ok(Buffer.from(back.buffer).equals(Buffer.from(samples.buffer)));
});
