import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditConfig } from '../../service/shared/contract.mts';
import { lengthSeconds } from '../support/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { finishedFile, send } from './support/client.mts';
import { decodedSeconds, levelDb, samplesOf, withNoise } from './support/media.mts';
import { LONG_SILENCES, TALK, TALK_REMOVED_SECONDS, talk } from './support/recordings.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const spoken = new SyntheticTalk().sentence().pause(0.3);
const breathAt = spoken.seconds;
spoken.breath(-16);
const breathEnd = spoken.seconds;
spoken.pause(0.2).sentence().pause(0.3).click().pause(0.3).sentence().pause(0.3).filler(0.5);
spoken.pause(0.4).sentence().pause(0.3).filler(0.2).pause(0.3).sentence().pause(0.3);
spoken.fragment(0.15, 'a', 'u', 'i').pause(0.1).word('a', 'u', 'i', 'e').pause(2).sentence();
const wav = spoken.wav();

const EVERYTHING = {
	fillers: true,
	hesitations: true,
	stutters: true,
	mouth_sounds: true,
	breath: true,
	long_silences: true,
	remove_noise: false,
} as const;
const COUNTS = { BREATH: 1, DEADAIR: 1, STUTTERING: 1, MOUTH_SOUND: 1, FILLER_SOUND: 2 };

await test('cuts and counts each kind and writes matching markers', async () => {
	const config = { ...EVERYTHING, export_timestamps: true };
	const { result, file } = await ann.finish(wav, config);
	assert.deepEqual(result.statistics, COUNTS);
	const labels = await send('GET', result.timestamps_markers_urls[0] ?? '');
	const rows = labels.text
		.trimEnd()
		.split('\n')
		.map((line) => line.split('\t'));
	assert.deepEqual(rows.map(([, , label]) => label).toSorted(), [
		'Breath',
		'Filler',
		'Hesitation',
		'Long silence',
		'Mouth sound',
		'Stutter',
	]);
	const removed = rows.reduce((sum, [start, end]) => sum + Number(end) - Number(start), 0);
	const lost = spoken.seconds - (await decodedSeconds(file));
	assert.ok(Math.abs(lost - removed) < 0.01, `${lost} s are gone, the markers say ${removed} s`);
});

await test('keeps the length to the sample with muted and silences each kind', async () => {
	const { result, file } = await ann.finish(wav, { ...EVERYTHING, muted: true });
	const [before, after] = [await samplesOf(wav), await samplesOf(file)];
	assert.equal(after.length, before.length);
	assert.deepEqual(result.statistics, COUNTS);
	const [start, end] = [breathAt + 0.08, breathEnd - 0.08];
	assert.ok(levelDb(before, start, end) > -50);
	assert.ok(levelDb(after, start, end) < -90);
	assert.ok(Math.abs(levelDb(after, 0.1, 1.4) - levelDb(before, 0.1, 1.4)) < 0.1);
});

const NO_EDITS = { BREATH: 0, DEADAIR: 0, STUTTERING: 0, MOUTH_SOUND: 0, FILLER_SOUND: 0 };

await test('long silences are cut down to a natural pause, and short ones stay', async () => {
	const { result, file } = await ann.finish(talk, { long_silences: true, remove_noise: false });
	const expected = lengthSeconds(TALK) - TALK_REMOVED_SECONDS;
	assertNear(await decodedSeconds(file), expected, 0.15, 'seconds');
	assert.deepEqual(result.statistics, { ...NO_EDITS, DEADAIR: LONG_SILENCES.length });
});

await test('nothing is cut unless it is asked for', async () => {
	const { result, file } = await ann.finish(talk, { remove_noise: false });
	assertNear(await decodedSeconds(file), lengthSeconds(TALK), 0.001, 'seconds');
	assert.deepEqual(result.statistics, NO_EDITS);
	assert.deepEqual(result.timestamps_markers_urls, []);
});

await test('counts only the requested kinds', async () => {
	const { result } = await ann.finish(wav, { hesitations: true, remove_noise: false });
	assert.deepEqual(result.statistics, { ...NO_EDITS, FILLER_SOUND: 1 });
});

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
