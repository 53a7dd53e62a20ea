import assert from 'node:assert/strict';
import { test } from 'node:test';

import { send } from './support/client.mts';
import { decodedSeconds, levelDb, samplesOf } from './support/media.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const talk = new SyntheticTalk().sentence().pause(0.3);
const breathAt = talk.seconds;
talk.breath(-16);
const breathEnd = talk.seconds;
talk.pause(0.2).sentence().pause(0.3).click().pause(0.3).sentence().pause(0.3).filler(0.5);
talk.pause(0.4).sentence().pause(0.3).filler(0.2).pause(0.3).sentence().pause(0.3);
talk.fragment(0.15, 'a', 'u', 'i').pause(0.1).word('a', 'u', 'i', 'e').pause(2).sentence();
const wav = talk.wav();

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
	const lost = talk.seconds - (await decodedSeconds(file));
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

await test('counts only the requested kinds', async () => {
	const { result } = await ann.finish(wav, { hesitations: true, remove_noise: false });
	assert.deepEqual(result.statistics, {
		BREATH: 0,
		DEADAIR: 0,
		STUTTERING: 0,
		MOUTH_SOUND: 0,
		FILLER_SOUND: 1,
	});
});
