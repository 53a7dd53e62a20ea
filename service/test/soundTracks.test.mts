import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withFile } from '../../testkit/service/media.mts';
import { probeSound } from '../engine/soundTracks.mts';
import { BEEPED, made } from './support/beepFiles.mts';

const SILENCE = ['-f', 'lavfi', '-i', 'aevalsrc=0:s=48000:d=5'];

await test('listens to the sound tracks of a file only once', async () => {
	const file = await made('two.mka', ...SILENCE, ...BEEPED, '-map', '0', '-map', '1');
	await withFile(file, async (path) => {
		const { info, notes } = await probeSound(path);
		assert.deepEqual([info.soundTrack, notes], [1, ['used sound track 2 of 2: track 1 is silent']]);
		// Who listens finds the second track.
		const known = await probeSound(path, undefined, { track: 0, notes: ['as before'] });
		assert.deepEqual([known.info.soundTrack, known.notes], [0, ['as before']]);
	});
});
