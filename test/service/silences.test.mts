import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lengthSeconds } from '../support/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { send } from './support/client.mts';
import { decodedSeconds, levelDb, samplesOf } from './support/media.mts';
import { LONG_SILENCES, TALK, TALK_REMOVED_SECONDS, talk } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

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

await test('muted keeps the length and makes the silences silent, and only them', async () => {
	const config = { long_silences: true, muted: true, remove_noise: false } as const;
	const { result, file } = await ann.finish(talk, config);
	const [before, after] = [await samplesOf(talk), await samplesOf(file)];
	assert.equal(after.length, before.length);
	assert.equal(result.statistics?.DEADAIR, LONG_SILENCES.length);
	for (const [start, end] of LONG_SILENCES) {
		assert.ok(levelDb(after, start + 0.3, end - 0.3) < -90, 'the silence is not muted');
	}
	assertNear(levelDb(after, 0.2, 1.8), levelDb(before, 0.2, 1.8), 0.2, 'dB of the first part');
	assertNear(levelDb(after, 8.2, 9.8), levelDb(before, 8.2, 9.8), 0.2, 'dB of the third part');
});

/** The marker files of a result, by the end of their names. */
async function markerFiles(urls: readonly string[]): Promise<Map<string, string>> {
	const files = await Promise.all(
		urls.map(async (url): Promise<[string, string]> => {
			const answer = await send('GET', url);
			assert.equal(answer.status, 200);
			return [new URL(url).pathname.split('-').at(-1) ?? '', answer.text];
		}),
	);
	return new Map(files);
}

await test('the markers list the edits at their times in the source', async () => {
	const config = { long_silences: true, export_timestamps: true, remove_noise: false } as const;
	const { result, file } = await ann.finish(talk, config);
	const files = await markerFiles(result.timestamps_markers_urls);
	const labels = (files.get('labels.txt') ?? '').trimEnd().split('\n');
	const regions = (files.get('markers.csv') ?? '').trimEnd().split('\n').slice(1);
	assert.equal(labels.length, LONG_SILENCES.length);
	assert.equal(regions.length, LONG_SILENCES.length);
	let removed = 0;
	LONG_SILENCES.forEach(([start, end], index) => {
		const [labelStart, labelEnd] = (labels[index] ?? '').split('\t').map(Number);
		const [, , regionStart, regionEnd, length] = (regions[index] ?? '').split(',').map(Number);
		assertNear(labelStart, start + 0.2, 0.1, 'start of the label');
		assertNear(labelEnd, end - 0.2, 0.1, 'end of the label');
		assertNear(regionStart, labelStart, 0.001, 'start of the region');
		assertNear(regionEnd, labelEnd, 0.001, 'end of the region');
		assertNear(length, regionEnd - regionStart, 0.002, 'length of the region');
		removed += labelEnd - labelStart;
	});
	const seconds = await decodedSeconds(file);
	assertNear(lengthSeconds(TALK) - seconds, removed, 0.01, 'what the markers say was removed');
});
