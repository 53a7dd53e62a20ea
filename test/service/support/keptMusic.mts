import assert from 'node:assert/strict';

import type { EditConfig } from '../../../service/shared/contract.mts';
import type { Client } from './client.mts';
import { levelDb, samplesOf } from './media.mts';
import { inTurn, music, noise, speech, SPEECH_RATE_HZ, together, wavOf } from './signals.mts';

const MUSIC_SECONDS = 12;
const recording = together(
	inTurn((await speech(40)).slice(0, 20 * SPEECH_RATE_HZ), music(MUSIC_SECONDS)),
	noise((20 + MUSIC_SECONDS) * SPEECH_RATE_HZ, 0.004),
);

/** The change in the edited recording's music relative to the original, in dB. */
async function edited(client: Client, config: EditConfig) {
	const { file } = await client.finish(wavOf(recording), config);
	const samples = await samplesOf(file);
	assert.equal(samples.length, recording.length);
	const difference = samples.map((sample, index) => sample - recording[index]);
	const changeDb = levelDb(difference, 24, 31) - levelDb(recording, 24, 31);
	return { samples, changeDb };
}

/** The quietest 200 ms of the speech: the level between words. */
function floorDb(samples: Float32Array): number {
	const levels = Array.from({ length: 75 }, (_, i) => levelDb(samples, 2 + i / 5, 2.2 + i / 5));
	return Math.min(...levels);
}

/** Asserts that keep_music leaves the music as it was, while the edit reduces noise. */
export async function assertKeepsMusic(client: Client, config: EditConfig): Promise<void> {
	const without = await edited(client, config);
	const kept = await edited(client, { ...config, keep_music: true });
	assert.ok(kept.changeDb < -40, `the music was changed by ${kept.changeDb} dB`);
	assert.ok(without.changeDb > -25, `without it by ${without.changeDb} dB only`);
	assert.ok(floorDb(kept.samples) < floorDb(recording) - 10);
}
