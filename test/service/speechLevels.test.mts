import assert from 'node:assert/strict';
import { test } from 'node:test';

import { signalToNoiseDb } from '../../service/text/speechLevels.mts';

/** Levels of speech at -20 dBFS with a pause every other second; one noise level a minute. */
function levelsOf(...noiseDb: readonly number[]): Float32Array {
	return Float32Array.from({ length: 6_000 * noiseDb.length }, (_, hop) =>
		Math.floor(hop / 100) % 2 === 0 ? -20 : noiseDb[Math.floor(hop / 6_000)],
	);
}

await test('measures speech against the noise of most of the recording', () => {
	assert.equal(Math.round(signalToNoiseDb(levelsOf(-50))), 30);
	assert.equal(Math.round(signalToNoiseDb(levelsOf(-50, -50, -120))), 30);
	assert.equal(Math.round(signalToNoiseDb(levelsOf(-35, -50, -50, -50))), 30);
	assert.equal(Math.round(signalToNoiseDb(levelsOf(-40, -40, -120).subarray(0, 13_000))), 20);
	assert.equal(signalToNoiseDb(new Float32Array(0)), 0);
});
