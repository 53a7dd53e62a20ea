import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { endThreads } from '../engine/threads/engineThreads.mts';
import { reduceNoise } from '../engine/denoise/reduceNoise.mts';
import { openPcm, pcmSourceOf, readFrames } from '../media/pcmFile.mts';
import type { EditConfig } from '../shared/contract.mts';
import { assertNear } from './support/assertNear.mts';
import { samplesOf } from '../../testkit/service/media.mts';
import {
	crowdOf,
	differenceDb,
	inTurn,
	level,
	music,
	noise,
	pcmOf,
	raised,
	RATE_HZ,
	scaled,
	speech,
	SPEECH_RATE_HZ,
	together,
	wavOf,
} from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using temporary = await temporaryFolder();
await using service = await startService(...QUICK);
const { ann } = service;

const voice = await speech(20);
const silence = (seconds: number) => new Float32Array(seconds * SPEECH_RATE_HZ);
const hissing = (sound: Float32Array, level: number) => together(sound, noise(sound.length, level));

/** Removes the noise of one channel; returns it as 48 kHz, before and after, with the music that was found. */
async function denoised(samples: Float32Array) {
	const [before, outputPath] = [raised(samples), join(temporary.path, 'out')];
	const format = { sampleRateHz: RATE_HZ, channels: 1 };
	const input = await pcmOf(before, join(temporary.path, 'in'), format);
	const { music: found } = await reduceNoise(input, outputPath, 'measured');
	const file = await openPcm(outputPath, format);
	return { before, found, after: await readFrames(pcmSourceOf(file), 0, file.frames) };
}

await test('the networks are those that SHA256SUMS names', async () => {
	const folder = new URL('../engine/networks/', import.meta.url);
	const sums = (await readFile(new URL('SHA256SUMS', folder), 'utf8')).trimEnd().split('\n');
	const found: string[] = [];
	for await (const name of glob('*/*.{onnx,weights,wasm,mjs}', { cwd: folder })) {
		const bytes = await readFile(new URL(name, folder));
		found.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}`);
	}
	assert.deepEqual(found.toSorted(), sums.toSorted());
});

await test('finds no music in speech with hiss, hum or a crowd, and removes the noise', async () => {
	const hum = voice.map((_, i) =>
		[50, 100, 150, 200, 300, 450].reduce((sum, hz) => {
			return sum + 0.004 * Math.sin((2 * Math.PI * hz * i) / SPEECH_RATE_HZ + hz);
		}, 0),
	);
	for (const background of [noise(voice.length, 0.004), hum, crowdOf(voice, 0.02)]) {
		const noisy = inTurn(together(voice, background), scaled(background, 1).slice(0, 48_000));
		const { before, found, after } = await denoised(noisy);
		assert.deepEqual(found, []);
		const lessDb = level(before, 20.5, 22.5) - level(after, 20.5, 22.5);
		assert.ok(lessDb > 4, `${lessDb} dB less`);
	}
});

await test('leaves music alone, loud or soft, as it is', async () => {
	for (const gain of [1, 0.1]) {
		const talk = voice.slice(0, 10 * SPEECH_RATE_HZ);
		const sound = hissing(inTurn(talk, scaled(music(12), gain)), 0.004);
		const { before, found, after } = await denoised(sound);
		assert.equal(found.length, 1);
		assertNear(found[0].startSeconds, 10, 1.5, 'begin of the music');
		const part = (samples: Float32Array) => samples.subarray(12 * RATE_HZ, 21 * RATE_HZ);
		assert.ok(differenceDb(part(after), part(before)) < -80);
		assert.ok(level(before, 0.2, 8) - level(after, 0.2, 8) < 1, 'the voice stays');
	}
});

await test('does not lower music under a voice when the voice pauses', async () => {
	const talk = inTurn(voice.slice(0, 128_000), silence(2), voice.slice(128_000, 256_000));
	const { before, after } = await denoised(together(talk, scaled(music(18), 0.25)));
	const lessDb = level(before, 8.3, 9.7) - level(after, 8.3, 9.7);
	assert.ok(lessDb < 1, `${lessDb} dB less in the pause`);
});

const config = { long_silences: true } as const;

/** The seconds that are cut from a talk whose pause, at 8 s, is a sound. */
async function cutSeconds(pause: Float32Array, more: EditConfig = {}): Promise<number> {
	const talk = inTurn(voice.slice(0, 128_000), pause, voice.slice(128_000, 256_000));
	const whole = hissing(talk, 0.0005);
	const { file } = await ann.finish(wavOf(whole), { ...config, ...more });
	return (whole.length - (await samplesOf(file)).length) / SPEECH_RATE_HZ;
}

for (const removeNoise of [true, false]) {
	await test(`cuts no pause in which music fades away, with remove_noise ${removeNoise}`, async () => {
		const more = { remove_noise: removeNoise };
		// From 20 to 40 dB below the speech.
		const fading = music(4).map((sample, i) => sample * 10 ** (-1 - i / 64_000));
		assert.ok((await cutSeconds(silence(4), more)) > 2.5, 'a pause without music');
		assert.equal(await cutSeconds(fading, more), 0);
	});
}

await test('cuts a pause after its music', async () => {
	const fading = music(3).map((sample, i) => sample * 10 ** (-1 - i / 64_000));
	const seconds = await cutSeconds(inTurn(fading, silence(4)));
	assertNear(seconds, 3.6, 1, 'seconds cut');
	await endThreads();
});
