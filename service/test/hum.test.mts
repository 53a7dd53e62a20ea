import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { Notches } from '../engine/denoise/notches.mts';
import { surveyOf } from '../engine/denoise/noiseSurvey.mts';
import { reduceNoise } from '../engine/denoise/reduceNoise.mts';
import { reduceNoiseLegacy } from '../engine/denoise/reduceNoiseLegacy.mts';
import { pcmSourceOf, readFrames, type PcmFile } from '../media/pcmFile.mts';
import {
	differenceDb,
	level,
	music,
	noise,
	only,
	pcmOf,
	raised,
	RATE_HZ,
	speech,
	together,
} from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using temporary = await temporaryFolder();
const outputPath = join(temporary.path, 'out');

const voice = raised(await speech(20));

/** Harmonics of a frequency, each at this amplitude. */
function tones(seconds: number, hz: number, harmonics: number[], amplitude: number, phase = 0) {
	return Float32Array.from({ length: seconds * RATE_HZ }, (_, i) =>
		harmonics.reduce(
			(sum, n) => sum + amplitude * Math.sin((2 * Math.PI * hz * n * i) / RATE_HZ + phase),
			0,
		),
	);
}

/** Puts one channel into a file. */
async function fileOf(samples: Float32Array): Promise<PcmFile> {
	return await pcmOf(samples, join(temporary.path, 'in'), { sampleRateHz: RATE_HZ, channels: 1 });
}

async function samplesIn(file: PcmFile): Promise<Float32Array> {
	return await readFrames(pcmSourceOf(file), 0, file.frames);
}

async function denoised(samples: Float32Array): Promise<Float32Array> {
	const { clean } = await reduceNoise(await fileOf(samples), outputPath, 'measured');
	return await samplesIn(clean);
}

const humIn = async (samples: Float32Array) =>
	(await surveyOf(await fileOf(samples), 'measured')).humHz;

/** A voice with nothing between its words. */
const gated = voice.map((sample, i) => (i % RATE_HZ < 0.6 * RATE_HZ ? sample : 0));

await test('finds no tone of the mains that nobody hears, where nothing but hum sounds for seconds', async () => {
	const hum = tones(20, 50, [1, 2, 3, 4, 6, 9], 0.02);
	const found = await humIn(together(only(voice, [0, 6]), hum));
	assert.deepEqual(found.map(Math.round), [50, 100, 150, 200, 300, 450]);
});

await test('reduces noise fully where hum was loud, because what takes hum out rings after each vowel', async () => {
	const strengthsOf = async (level: number) => {
		const input = together(gated, tones(20, 50, [2, 3], level));
		const { groups } = await surveyOf(await fileOf(input), 'measured');
		return new Set(groups[0].strengths);
	};
	assert.deepEqual(await strengthsOf(0.01), new Set([1]));
	assert.deepEqual(await strengthsOf(0.00003), new Set([0]), 'hum that nobody hears');
});

await test('measures the hum beside the speech, in the channel where it is loudest', async () => {
	const hum = tones(20, 50, [2, 3, 4], 0.01);
	const humDb = level(hum, 5, 6) - level(voice, 0, 20);
	const path = join(temporary.path, 'two');
	const mono = { sampleRateHz: RATE_HZ, channels: 1 };
	const shareOf = async (input: PcmFile) => (await surveyOf(input, 'measured')).humShare;
	// The other channel has speech at other times, and no hum.
	const [left, right] = [only(gated, [0, 9]), together(only(gated, [10, 20]), hum)];
	const both = new Float32Array(2 * left.length).map((_, i) => (i % 2 ? right : left)[i >> 1]);
	const shares = [
		await shareOf(await pcmOf(together(gated, hum), path, mono)),
		await shareOf(await pcmOf(both, path, { ...mono, channels: 2 })),
	];
	for (const share of shares) {
		const apartDb = 20 * Math.log10(share) - humDb;
		assert.ok(Math.abs(apartDb) < 6, `${apartDb} dB`);
	}
	assert.equal(await shareOf(await pcmOf(gated, path, mono)), 0);
});

await test('takes out only as much of a tone as it is told', () => {
	const tone = tones(4, 100, [1], 0.1);
	for (const left of [0.5, 0.1]) {
		const block = tone.slice();
		new Notches([100], { sampleRateHz: RATE_HZ, channels: 1 }, left).write(block);
		const share = 10 ** ((level(block, 3, 4) - level(tone, 3, 4)) / 20);
		assert.ok(Math.abs(share - left) < 0.01, `${share}`);
	}
});

await test('removes mains hum with notches and keeps the speech', async () => {
	const input = together(voice, tones(20, 59.97, [1, 2, 3, 5], 0.01));
	const humHz = await humIn(input);
	assert.deepEqual(humHz.slice(0, 2).map(Math.round), [60, 120]);
	const output = await denoised(input);
	const without = await denoised(voice);
	const apart = differenceDb(output.subarray(RATE_HZ), without.subarray(RATE_HZ));
	assert.ok(apart < -22, `${apart} dB, ${humHz.join()}`);
	assert.ok(differenceDb(input, voice) > -17);
	assert.deepEqual(await humIn(voice), []);
});

await test('removes hum from the first instant on', async () => {
	for (const phase of [0, 1, 2]) {
		const hum = tones(10, 50.02, [1, 2, 3], 0.03, phase);
		const input = together(hum, noise(hum.length, 0.0003));
		const output = await denoised(input);
		const legacy = await reduceNoiseLegacy(await fileOf(input), outputPath);
		for (const one of [output, await samplesIn(legacy)]) {
			const less = level(input, 0, 0.2) - level(one, 0, 0.2);
			assert.ok(less > 10, `${less} dB less`);
		}
	}
});

await test('does not mistake a held tone, music or a held voice for hum', async () => {
	const tone = together(voice, tones(20, 100, [1], 0.02));
	for (const input of [tone, raised(music(20)), tones(3, 120, [1, 2, 3], 0.05)]) {
		assert.deepEqual(await humIn(input), []);
	}
});
