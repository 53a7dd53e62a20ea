import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { denoiseSegment } from '../engine/denoise/denoiseSegment.mts';
import { endThreads } from '../engine/threads/engineThreads.mts';
import { surveyOf, type DenoisingStrength } from '../engine/denoise/noiseSurvey.mts';
import { reduceNoise, removeNoise } from '../engine/denoise/reduceNoise.mts';
import { openPcm, pcmSourceOf, readFrames } from '../media/pcmFile.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import {
	areSame,
	crowdOf,
	differenceDb,
	inTurn,
	level,
	noise,
	only,
	pcmOf,
	raised,
	RATE_HZ,
	scaled,
	speech,
	together,
} from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using temporary = await temporaryFolder();
const outputPath = join(temporary.path, 'out');

const voice = raised(await speech(20));
const pause = new Float32Array(3 * RATE_HZ);
/** Speech for 20 s and a pause of 3 s, with noise 20 dB below the speech. */
const noisy = together(inTurn(voice, pause), noise(voice.length + pause.length, 0.01));

/** 100 ms of loud noise every second. */
const bursts = noise(10 * RATE_HZ, 0.2).map((sample, i) =>
	i % RATE_HZ > 0.5 * RATE_HZ && i % RATE_HZ < 0.6 * RATE_HZ ? sample : 0,
);

/** Puts channels into a file, interleaved. */
async function fileOf(...channels: Float32Array[]) {
	const count = channels.length;
	const samples = Float32Array.from({ length: channels[0].length * count }, (_, i) => {
		return channels[i % count][Math.floor(i / count)];
	});
	const path = join(temporary.path, 'in');
	return await pcmOf(samples, path, { sampleRateHz: RATE_HZ, channels: count });
}

async function denoised(strength: DenoisingStrength, ...channels: Float32Array[]) {
	const { clean } = await reduceNoise(await fileOf(...channels), outputPath, strength);
	return await channelsOf(clean.channels);
}

async function channelsOf(channels: number): Promise<Float32Array[]> {
	const file = await openPcm(outputPath, { sampleRateHz: RATE_HZ, channels });
	const samples = await readFrames(pcmSourceOf(file), 0, file.frames);
	return Array.from({ length: channels }, (_, channel) =>
		samples.filter((_sample, i) => i % channels === channel),
	);
}

await test('attenuates noise by 15 to 20 dB, 20 or 30 dB below the speech, and leaves a floor', async () => {
	const fainter = together(inTurn(voice, pause), noise(voice.length + pause.length, 0.0032));
	for (const input of [fainter, noisy]) {
		const [output] = await denoised('measured', input);
		assert.equal(output.length, input.length);
		const less = level(input, 21, 22.8) - level(output, 21, 22.8);
		assert.ok(less > 15 && less < 20.1, `${less} dB less`);
		assert.ok(differenceDb(output.subarray(0, voice.length), voice) < -21);
	}
});

await test('takes bursts of noise out of clean speech, and keeps what sounds for longer', async () => {
	const hiss = only(noise(voice.length, 0.05), [9, 9.8], [11, 11.33], [13, 17]);
	// Somebody who never pauses would count as noise.
	const pauses = [1, 3, 5, 7, 9.2, 11, 18].map((from) => [from, from + 0.4] as const);
	const still = only(voice, ...pauses, [13, 17]);
	const quiet = voice.map((sample, i) => sample - still[i]);
	const input = together(quiet, hiss);
	const [output] = await denoised('measured', input);
	const lessIn = (from: number, to: number) => level(input, from, to) - level(output, from, to);
	assert.ok(lessIn(9.3, 9.5) > 12, `${lessIn(9.3, 9.5)} dB less in the burst`);
	assert.ok(lessIn(11.05, 11.3) > 6, `${lessIn(11.05, 11.3)} dB less in the short burst`);
	assert.ok(lessIn(13.1, 16.9) < 1, `${lessIn(13.1, 16.9)} dB less in the applause`);
	const [loud] = await denoised('measured', together(quiet, scaled(hiss, 3)));
	assert.ok(level(quiet, 9.62, 9.78) - level(loud, 9.62, 9.78) < 2, 'the voice stays');
});

await test('reduces a crowd, however soft, with the same gains on both sides, and ignores a broken sample', async () => {
	const people = raised(crowdOf(await speech(20), 0.03));
	const left = together(only(voice, [0, 8], [12, 20]), people);
	left[5 * RATE_HZ] = NaN;
	const [output, other] = await denoised('measured', left, scaled(left, 0.5));
	assert.ok(differenceDb(output, scaled(other, 2)) < -60);
	const [soft] = await denoised('measured', scaled(left, 0.03), scaled(left, 0.015));
	for (const sound of [output, scaled(soft, 1 / 0.03)]) {
		const less = level(left, 8.5, 11.5) - level(sound, 8.5, 11.5);
		assert.ok(less > 14.5, `${less} dB less`);
		assert.ok(level(left, 1, 4.5) - level(sound, 1, 4.5) < 2, 'the voice stays');
	}
});

await test('removes the noise of a soft recording as it does that of a loud one', async () => {
	const input = noisy.subarray(0, 12 * RATE_HZ);
	const [loud] = await denoised('measured', input);
	for (const share of [0.01, 3]) {
		const [other] = await denoised('measured', scaled(input, share));
		const apart = differenceDb(scaled(other, 1 / share), loud);
		assert.ok(apart < -55, `${share}: ${apart} dB`);
	}
});

await test('leaves a clean channel beside one with a crowd as it is', async () => {
	const left = only(voice, [0, 9.5]);
	const right = together(only(voice, [10.5, 20]), raised(crowdOf(await speech(20), 0.03)));
	const [output, other] = await denoised('measured', left, right);
	assert.ok(differenceDb(output, left) < -60, `${differenceDb(output, left)} dB`);
	assert.ok(differenceDb(other, right) > -30);
});

await test('does not take applause for the noise of a fan', async () => {
	const applause = only(noise(voice.length, 0.06), [8, 14]);
	const input = together(noise(voice.length, 0.006), applause);
	const [output] = await denoised('full', input);
	assert.ok(level(input, 12, 13.9) - level(output, 12, 13.9) < 3);
	assert.ok(level(input, 2, 7) - level(output, 2, 7) > 10);
});

await test('leaves a recording with hardly any noise unchanged, bit for bit', async () => {
	const input = together(bursts, noise(bursts.length, 0.0003));
	const [output] = await denoised('measured', input);
	assert.ok(areSame(output, input));
	const [forced] = await denoised('full', input);
	assert.ok(level(forced, 1.1, 1.4) < level(input, 1.1, 1.4) - 6);
});

await test('a stretch denoised alone sounds as it does in the whole', async () => {
	const input = await fileOf(noisy);
	const survey = await surveyOf(input, 'measured');
	const task = { input, outputPath, survey };
	await pcmOf(new Float32Array(noisy.length), outputPath);
	await denoiseSegment({ ...task, startFrame: 0, endFrame: noisy.length });
	const [whole] = await channelsOf(1);
	const middle = 11 * RATE_HZ;
	await denoiseSegment({ ...task, startFrame: middle, endFrame: noisy.length });
	const [inParts] = await channelsOf(1);
	assert.ok(areSame(inParts.subarray(0, middle), whole.subarray(0, middle)));
	const apart = differenceDb(inParts.subarray(middle), whole.subarray(middle));
	assert.ok(apart < -30, `${apart} dB`);
	assert.ok(apart > -120, 'this test compares a result with itself');
});

/** The channels that are denoised together. */
async function groupsOf(...channels: Float32Array[]) {
	const { groups } = await surveyOf(await fileOf(...channels), 'full');
	return groups.map((group) => group.channels);
}

await test('keeps a panned voice where it is', async () => {
	const right = together(scaled(voice, 0.6), noise(noisy.length + 7, 0.01).subarray(7));
	assert.deepEqual(await groupsOf(noisy, right), [[0, 1]]);
	const outputs = await denoised('full', noisy, right);
	const balance = level(outputs[0], 1, 19) - level(outputs[1], 1, 19);
	const was = 20 * Math.log10(1 / 0.6);
	assert.ok(Math.abs(balance - was) < 0.2, `${balance} dB, was ${was} dB`);
});

await test('denoises speakers on opposite sides separately', async () => {
	const half = voice.length / 2;
	const [left, right] = [voice.slice(), voice.slice()];
	left.fill(0, half);
	right.fill(0, 0, half);
	const hiss = noise(voice.length, 0.01);
	const channels = [together(left, hiss), together(right, hiss.toReversed())];
	assert.deepEqual(await groupsOf(...channels), [[0], [1]]);
	const outputs = await denoised('full', ...channels);
	assert.ok(differenceDb(outputs[0].subarray(0, half), left.subarray(0, half)) < -20);
	assert.ok(differenceDb(outputs[1].subarray(half), right.subarray(half)) < -20);
	assert.ok(level(outputs[0], 12, 19) < level(channels[0], 12, 19) - 15);
});

await test('keeps the first instant of what somebody says', async () => {
	const starts = Array.from({ length: 19 }, (_, second) => second + 0.5);
	const words = only(voice, ...starts.map((from) => [from, from + 0.4] as const));
	const [output] = await denoised('full', together(words, noise(words.length, 0.006)));
	for (const start of starts) {
		const lost = level(words, start, start + 0.02) - level(output, start, start + 0.02);
		// Softer than the noise, nobody could hear it.
		if (level(words, start, start + 0.02) < -35) continue;
		assert.ok(lost < 3, `${lost} dB lost at ${start} s`);
	}
});

await test('accepts silence and recordings of any length', async () => {
	for (const frames of [1, 479, 4_800, RATE_HZ + 1]) {
		const [output] = await denoised('full', noise(frames, 0.1));
		assert.equal(output.length, frames);
	}
	const [still] = await denoised('full', new Float32Array(RATE_HZ));
	assert.ok(still.every((sample) => sample === 0));
});

await test('stops in the middle, in its threads too, and works again afterwards', async () => {
	const input = await fileOf(noise(70 * RATE_HZ, 0.1));
	const stopping = new AbortController();
	const reason = new Error('enough');
	const survey = await surveyOf(input, 'full');
	await rm(outputPath, { force: true });
	const stopped = assert.rejects(removeNoise(input, outputPath, survey, stopping.signal), reason);
	await eventually('it has written a part', () =>
		stat(outputPath).then(
			({ blocks }) => blocks > 0,
			() => false,
		),
	);
	stopping.abort(reason);
	await stopped;
	await removeNoise(input, outputPath, survey);
	const [output] = await channelsOf(1);
	assert.ok(level(output, 60, 69) < level(noise(70 * RATE_HZ, 0.1), 60, 69) - 10);
	await endThreads();
});
