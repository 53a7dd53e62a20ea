import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lengthSeconds } from '../support/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { decodedSeconds } from './support/media.mts';
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
