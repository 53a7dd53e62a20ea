import assert from 'node:assert/strict';
import { test } from 'node:test';

import { newFeatures } from '../../service/engine/detection/features.mts';
import { findLongSilences } from '../../service/engine/detection/longSilences.mts';
import { sceneOf } from '../../service/engine/detection/scene.mts';
import { DEFAULT_EDIT_LIMITS } from '../../service/shared/editLimits.mts';

const HOPS = 4_000;

/** What is heard of a word, a soft word and the noise: with the noise, after its reduction, and the voicing. */
type Sound = readonly [rawDb: number, denoisedDb: number, voicing: number];

const WORD: Sound = [-20, -20, 220];

/** Somebody speaks from second to second and stops from 16 to 18 s, where there may be a soft word. */
function silencesIn(noise: Sound, soft = noise, rest = noise) {
	const at = (hop: number): Sound => {
		if (hop >= 1_640 && hop < 1_720) return soft;
		if (hop >= 1_600 && hop < 1_800) return rest;
		return hop % 100 < 60 ? WORD : noise;
	};
	const [raw, denoised] = [newFeatures(HOPS), newFeatures(HOPS)];
	for (let hop = 0; hop < HOPS; hop++) {
		[raw.levels[hop], denoised.levels[hop], denoised.voicing[hop]] = at(hop);
		// Levels of noise are never the same.
		raw.levels[hop] += hop % 3;
	}
	const isBusy = new Uint8Array(HOPS);
	return findLongSilences(sceneOf({ raw, denoised }), isBusy, DEFAULT_EDIT_LIMITS).map(
		({ startSeconds, endSeconds }) => [startSeconds, endSeconds].map(Math.round),
	);
}

const FOUND = [[16, 18]];

await test('what is left of hum is no voice, however much it repeats itself', () => {
	const hum: Sound = [-35, -70, 90];
	assert.deepEqual(silencesIn(hum, [-35, -65, 220], [-35, -65, 220]), FOUND);
	assert.deepEqual(silencesIn(hum, [-35, -45, 220]), [], 'a soft word over hum');
});

await test('a pause is found in a fan that is hardly softer than the voice', () => {
	const fan: Sound = [-26, -46, 75];
	assert.deepEqual(silencesIn(fan), FOUND);
	assert.deepEqual(silencesIn(fan, [-24, -46, 75]), [], 'a word that the noise reduction removed');
	assert.deepEqual(silencesIn(fan, [-26, -36, 75]), [], 'a word that does not raise the level');
});
