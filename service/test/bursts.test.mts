import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { BandValleys } from '../engine/denoise/bandValleys.mts';
import { BurstMeter, powerOf } from '../engine/denoise/burstMeter.mts';
import { reduceNoise } from '../engine/denoise/reduceNoise.mts';
import { pcmSourceOf, readFrames } from '../media/pcmFile.mts';
import { assertNear } from './support/assertNear.mts';
import {
	areSame,
	inTurn,
	level,
	noise,
	only,
	pcmOf,
	raised,
	RATE_HZ,
	speech,
	together,
} from '../../testkit/service/signals.mts';
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

/** What the noise reduction makes of a recording. */
async function denoised(sound: Float32Array): Promise<Float32Array> {
	await using folder = await temporaryFolder();
	const input = await pcmOf(sound, join(folder.path, 'in'), { sampleRateHz: RATE_HZ });
	const { clean } = await reduceNoise(input, join(folder.path, 'out'), 'measured');
	return await readFrames(pcmSourceOf(clean), 0, clean.frames);
}

await test('takes clicks out of clean speech, and leaves what is said far from them bit for bit', async () => {
	const voice = raised(await speech(20));
	const pauses = Array.from({ length: 10 }, (_, index) => 2 * index + 1);
	const still = only(voice, ...pauses.map((from) => [from, from + 0.4] as const));
	const quiet = voice.map((sample, i) => sample - still[i]);
	const talk = inTurn(quiet, quiet);
	const strokes = [3.2, 5.2, 7.2];
	const keys = only(
		noise(talk.length, 0.1),
		...strokes.map((from) => [from, from + 0.03] as const),
	);
	const input = together(talk, keys);
	const output = await denoised(input);
	for (const from of strokes) {
		const less = level(input, from, from + 0.03) - level(output, from, from + 0.03);
		assert.ok(less > 6, `${less} dB less at ${from} s`);
	}
	const [first, end] = [30 * RATE_HZ, 40 * RATE_HZ];
	assert.ok(areSame(output.subarray(first, end), input.subarray(first, end)), 'the rest');
	const untouched = await denoised(talk);
	assert.ok(areSame(untouched, talk), 'without clicks');
});

await test('leaves a burst of noise that is far below the rest', async () => {
	const sound = Float32Array.from({ length: 10 * RATE_HZ }, (_, i) => {
		return i % RATE_HZ < 0.6 * RATE_HZ ? 0.2 * Math.sin((2 * Math.PI * 440 * i) / RATE_HZ) : 0;
	});
	const faint = together(sound, only(noise(sound.length, 0.006), [5, 5.9]));
	assert.ok(areSame(await denoised(faint), faint));
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
