import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { findMusic } from '../engine/voice/findMusic.mts';
import type { EditConfig } from '../shared/contract.mts';
import type { TimeRange } from '../shared/timeRanges.mts';
import { assertNear } from './support/assertNear.mts';
import { levelDb, samplesOf } from '../../testkit/service/media.mts';
import {
	inTurn,
	music,
	noise,
	pcmOf,
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

const talk = await speech(40);
const [first, second] = [talk.slice(0, 20 * SPEECH_RATE_HZ), talk.slice(20 * SPEECH_RATE_HZ)];
const hiss = noise(talk.length, 0.005);

async function musicIn(samples: Float32Array): Promise<TimeRange[]> {
	return await findMusic(await pcmOf(samples, join(temporary.path, 'pcm')));
}

function assertIsFrom(sections: readonly TimeRange[], start: number, end: number): void {
	assert.equal(sections.length, 1);
	assertNear(sections[0].startSeconds, start, 2, 'begin of the music');
	assertNear(sections[0].endSeconds, end, 2, 'end of the music');
}

await test('finds no music in speech, noise, or speech over noise', async () => {
	assert.deepEqual(await musicIn(talk), []);
	assert.deepEqual(await musicIn(noise(30 * SPEECH_RATE_HZ, 0.1)), []);
	assert.deepEqual(await musicIn(together(talk, hiss)), []);
});

await test('does not take hum for music, however many tones it has', async () => {
	const hum = talk.map((_, index) =>
		[550, 600, 650, 700, 1_000, 1_200].reduce((sum, hz) => {
			return sum + 0.01 * Math.sin((2 * Math.PI * hz * index) / SPEECH_RATE_HZ);
		}, 0),
	);
	assert.deepEqual(await musicIn(together(hum, hiss)), []);
	assert.deepEqual(await musicIn(together(talk, hum, hiss)), []);
});

await test('finds music between speech', async () => {
	const whole = together(inTurn(first, music(15), second), noise(55 * 16_000, 0.003));
	assertIsFrom(await musicIn(whole), 20, 35);
});

await test('finds music under speech, 12 dB below it', async () => {
	const bed = inTurn(new Float32Array(first.length), scaled(music(20), 0.25));
	assertIsFrom(await musicIn(together(talk, bed)), 20, 40);
});

const talkThenMusic = together(inTurn(first, music(12)), noise(32 * SPEECH_RATE_HZ, 0.004));

/** The change in the edited recording's music relative to the original, in dB. */
async function besideMusic(config: EditConfig) {
	const { file } = await ann.finish(wavOf(talkThenMusic), config);
	const samples = await samplesOf(file);
	assert.equal(samples.length, talkThenMusic.length);
	const difference = samples.map((sample, index) => sample - talkThenMusic[index]);
	const changeDb = levelDb(difference, 24, 31) - levelDb(talkThenMusic, 24, 31);
	return { samples, changeDb };
}

/** The quietest 200 ms of the speech: the level between words. */
function floorDb(samples: Float32Array): number {
	const levels = Array.from({ length: 75 }, (_, i) => levelDb(samples, 2 + i / 5, 2.2 + i / 5));
	return Math.min(...levels);
}

await test('removing noise leaves music as loud as it was, but reduces the noise of speech', async () => {
	const { samples } = await besideMusic({ remove_noise: true });
	for (let second = 22; second < 31; second++) {
		const lessDb =
			levelDb(talkThenMusic, second, second + 1) - levelDb(samples, second, second + 1);
		assert.ok(Math.abs(lessDb) < 0.05, `${lessDb} dB less at ${second} s`);
	}
	assert.ok(floorDb(samples) < floorDb(talkThenMusic) - 10);
});

await test('studio sound leaves music untouched with keep_music, but reduces noise', async () => {
	const config = { studio_sound: true, autoeq: true } as const;
	const without = await besideMusic(config);
	const kept = await besideMusic({ ...config, keep_music: true });
	assert.ok(kept.changeDb < -40, `the music was changed by ${kept.changeDb} dB`);
	assert.ok(without.changeDb > -25, `without it by ${without.changeDb} dB only`);
	assert.ok(floorDb(kept.samples) < floorDb(talkThenMusic) - 10);
});
