import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { BandValleys } from '../engine/denoise/bandValleys.mts';
import { BurstMeter, powerOf } from '../engine/denoise/burstMeter.mts';
import { reduceNoise } from '../engine/denoise/reduceNoise.mts';
import { pcmSourceOf, readFrames } from '../media/pcmFile.mts';
import { assertNear } from './support/assertNear.mts';
import { noise, pcmOf, RATE_HZ } from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

const RMS = 0.05;

/** The mean square of white noise of this level in 1 Hz. */
const DENSITY = RMS ** 2 / (RATE_HZ / 2);

/** When it bursts out, seconds: later than what the meter judges together. */
const BURST_AT = 40;

/** Finds bursts in noise, which is soft but for a third of a second. */
function burstsIn(loud: (i: number) => number) {
	const valleys = new BandValleys({ sampleRateHz: RATE_HZ, channels: 1 });
	const meter = new BurstMeter(valleys.perHz);
	const sound = noise((BURST_AT + 4) * RATE_HZ, RMS).map((sample, i) => {
		return sample * (Math.abs(i / RATE_HZ - BURST_AT - 0.165) < 0.165 ? loud(i) : 0.001);
	});
	for (const window of valleys.write(sound)) meter.write(window);
	return meter.bursts();
}

await test('a burst of a third of a second is found, and how strong its noise is in each band', () => {
	const [burst, ...others] = burstsIn(() => 1);
	assert.equal(others.length, 0);
	assertNear(burst.startSeconds, BURST_AT - 0.075, 0.125, 'start');
	assertNear(burst.endSeconds, BURST_AT + 0.415, 0.135, 'end');
	const offDb = [...burst.densities].map((density) => 10 * Math.log10(density / DENSITY));
	assert.ok(Math.max(...offDb.map(Math.abs)) < 3, `${offDb.join(', ')} dB off`);
	const powerOffDb = 10 * Math.log10(powerOf(burst) / (DENSITY * (7_500 - 200)));
	assert.ok(Math.abs(powerOffDb) < 3, `${powerOffDb} dB off`);
});

await test('a growl, whose pulses are 22 ms apart, and a whisper that swells are no bursts of noise', () => {
	const growl = (i: number) => 3 * Math.exp(-(i % (0.022 * RATE_HZ)) / (0.005 * RATE_HZ));
	assert.deepEqual(burstsIn(growl), []);
	const whisper = (i: number) => 0.1 + 3 * (i / RATE_HZ - BURST_AT);
	assert.deepEqual(burstsIn(whisper), []);
});

for (const broken of [NaN, Infinity, -1e30]) {
	await test(`a single sample of ${broken} does not spoil the rest of a recording`, async () => {
		await using folder = await temporaryFolder();
		const samples = noise(3 * RATE_HZ, 0.1);
		samples[RATE_HZ] = broken;
		const input = await pcmOf(samples, join(folder.path, 'in'), { sampleRateHz: RATE_HZ });
		const { clean: output } = await reduceNoise(input, join(folder.path, 'out'), 'full');
		const cleaned = await readFrames(pcmSourceOf(output), 0, output.frames);
		assert.ok(cleaned.every((sample) => Math.abs(sample) < 1));
		assert.ok(cleaned.subarray(2 * RATE_HZ).some((sample) => sample !== 0));
	});
}
