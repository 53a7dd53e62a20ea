import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Chance } from '../../bench/eval/chance.mts';
import { nthSmallest } from '../../service/engine/signal/levels.mts';
import { signalToNoiseDb } from '../../service/text/speech/speechLevels.mts';

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

await test('the value at a place is the one that sorting would put there', () => {
	const chance = new Chance(3);
	for (const length of [1, 2, 3, 10, 999]) {
		// Few different values: equal ones are the hard case.
		const values = Float32Array.from({ length }, () => Math.floor(8 * chance.next()));
		const sorted = values.toSorted();
		for (let place = 0; place < length; place += Math.ceil(length / 9)) {
			assert.equal(nthSmallest(values.slice(), place), sorted[place]);
		}
	}
	assert.equal(nthSmallest(new Float32Array(0), 0), undefined);
});
