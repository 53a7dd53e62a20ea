import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditConfig } from '../../service/shared/contract.mts';
import { finishedFile } from './support/client.mts';
import { levelDb, samplesOf, withNoise } from './support/media.mts';
import { talk } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const noisy = await withNoise(talk, 0.012);
const fileUrl = await ann.upload(noisy);

/** Edits the noisy talk and returns the file. */
async function edited(config: EditConfig | null, path = '/v2/edits'): Promise<Buffer> {
	const { file } = await finishedFile(
		await ann.ended(await ann.create({ files: [fileUrl], config }, path)),
	);
	return file;
}

/** The level in the middle of the longest silence, and that of the speech before it, dBFS. */
async function levelsOf(file: Buffer) {
	const samples = await samplesOf(file);
	return { floorDb: levelDb(samples, 6.2, 7.8), speechDb: levelDb(samples, 3.7, 5.3) };
}

const before = await levelsOf(noisy);
assert.ok(before.floorDb > -50, `${before.floorDb} dB`);
const byTrue = await edited({ remove_noise: true });

await test('true lowers the noise floor by more than 10 dB', async () => {
	const { floorDb } = await levelsOf(byTrue);
	assert.ok(floorDb < before.floorDb - 10, `${floorDb} dB after ${before.floorDb} dB`);
});

await test('false leaves noise and speech alone', async () => {
	for (const path of ['/v2/edits', '/v2/noise']) {
		const { floorDb, speechDb } = await levelsOf(await edited({ remove_noise: false }, path));
		assert.ok(Math.abs(floorDb - before.floorDb) < 0.1, `${floorDb} dB`);
		assert.ok(Math.abs(speechDb - before.speechDb) < 0.1, `${speechDb} dB`);
	}
});

await test('v2 and an omitted key are the same as true', async () => {
	for (const config of [{ remove_noise: 'v2' }, {}, null] satisfies (EditConfig | null)[]) {
		assert.ok((await edited(config)).equals(byTrue), JSON.stringify(config));
	}
});

await test('legacy lowers the noise floor in its own way and keeps the speech', async () => {
	const file = await edited({ remove_noise: 'legacy' });
	const { floorDb, speechDb } = await levelsOf(file);
	assert.ok(floorDb < before.floorDb - 10, `${floorDb} dB after ${before.floorDb} dB`);
	assert.ok(Math.abs(speechDb - before.speechDb) < 3, `${speechDb} dB`);
	assert.ok(!file.equals(byTrue));
});

await test('POST /v2/noise removes noise by default, and does what else is asked for', async () => {
	assert.ok((await edited(null, '/v2/noise')).equals(byTrue));
	assert.ok((await edited({}, '/v2/noise')).equals(byTrue));
	const file = await edited({ long_silences: true }, '/v2/noise');
	assert.ok((await samplesOf(file)).length < (await samplesOf(noisy)).length - 32_000);
});
