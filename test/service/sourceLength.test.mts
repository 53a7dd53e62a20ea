import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { decode } from '../../service/media/decode.mts';
import { longestSeconds } from '../../service/media/lengthLimit.mts';
import { silence } from './support/media.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { QUICK, startService } from './support/testService.mts';

const LIMIT_SECONDS = 20;

await using service = await startService(
	...[...QUICK, '--longest-source-hours', String(LIMIT_SECONDS / 3_600)],
);
const { ann } = service;

/** The reason if the edit fails, else its status. */
async function outcomeOf(file: Buffer, name: string, remove_noise: boolean): Promise<string> {
	const { task_id: id, status } = await ann.run(file, { remove_noise }, name);
	return status === 'FAILURE' ? (service.logOf(id).at(-1) ?? '') : status;
}

await test('fails an edit of a recording over the limit and names the limit', async () => {
	const tooLong = /too long: with 2 channels at 48000 Hz .* 0\.00556 hours/;
	assert.match(await outcomeOf(await silence(30, 2, 48_000, 'flac'), 'a.flac', false), tooLong);
	assert.equal(await outcomeOf(await silence(19, 2, 48_000, 'flac'), 'a.flac', false), 'SUCCESS');
});

await test('lowers the limit for more channels or a higher rate', async () => {
	const tooLong = /too long: with 8 channels/;
	assert.match(await outcomeOf(await silence(6, 8, 48_000, 'flac'), 'a.flac', false), tooLong);
	assert.equal(await outcomeOf(await silence(4, 8, 48_000, 'flac'), 'a.flac', false), 'SUCCESS');
	assert.match(await outcomeOf(await silence(6, 2, 192_000, 'flac'), 'a.flac', true), /too long/);
	assert.equal(longestSeconds(12, { channels: 1, sampleRateHz: 8_000 }), 12);
	assert.equal(longestSeconds(12, { channels: 8, sampleRateHz: 96_000 }), 1.5);
});

await test('measures a file without a stated length while decoding', async () => {
	for (const removeNoise of [false, true]) {
		const stream = await silence(30, 2, 44_100, 'adts');
		assert.match(await outcomeOf(stream, 'a.aac', removeNoise), /too long/);
	}
});

await using temporary = await temporaryFolder();

await test('stops decoding shortly after the limit, with and without resampling', async () => {
	const path = join(temporary.path, 'long.flac');
	await writeFile(path, await silence(600, 2, 44_100, 'flac'));
	const source = { path, channels: 2, sampleRateHz: 44_100, limitSeconds: 10 };
	for (const rateHz of [44_100, 48_000]) {
		const output = join(temporary.path, 'out.f32');
		await assert.rejects(decode(source, output, rateHz), /too long/);
		const { size } = await stat(output);
		assert.ok(size <= 13 * rateHz * 8, `${size} bytes`);
	}
});
