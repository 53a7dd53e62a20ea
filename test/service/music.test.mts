import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { findMusic } from '../../service/engine/voice/findMusic.mts';
import { assertKeepsMusic } from './support/keptMusic.mts';
import {
	inTurn,
	music,
	noise,
	pcmOf,
	scaled,
	speech,
	SPEECH_RATE_HZ,
	together,
} from './support/signals.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { QUICK, startService } from './support/testService.mts';
import type { TimeRange } from '../../service/shared/timeRanges.mts';

await using temporary = await temporaryFolder();

const voice = await speech(40);
const [first, second] = [voice.slice(0, 20 * SPEECH_RATE_HZ), voice.slice(20 * SPEECH_RATE_HZ)];
const hiss = noise(voice.length, 0.005);

async function musicIn(samples: Float32Array): Promise<TimeRange[]> {
	return await findMusic(await pcmOf(samples, join(temporary.path, 'pcm')));
}

function assertIsFrom(section: TimeRange | undefined, start: number, end: number): void {
	assert.ok(section, 'no music was found');
	const { startSeconds, endSeconds } = section;
	assert.ok(Math.abs(startSeconds - start) < 2, `music begins at ${startSeconds}, not ${start}`);
	assert.ok(Math.abs(endSeconds - end) < 2, `music ends at ${endSeconds}, not ${end}`);
}

await test('finds no music in speech, noise, or speech over noise', async () => {
	assert.deepEqual(await musicIn(voice), []);
	assert.deepEqual(await musicIn(noise(30 * SPEECH_RATE_HZ, 0.1)), []);
	assert.deepEqual(await musicIn(together(voice, hiss)), []);
});

await test('does not take hum for music, however many tones it has', async () => {
	const hum = voice.map((_, index) =>
		[550, 600, 650, 700, 1_000, 1_200].reduce((sum, hz) => {
			return sum + 0.01 * Math.sin((2 * Math.PI * hz * index) / SPEECH_RATE_HZ);
		}, 0),
	);
	assert.deepEqual(await musicIn(together(hum, hiss)), []);
	assert.deepEqual(await musicIn(together(voice, hum, hiss)), []);
});

await test('finds music between speech', async () => {
	const sections = await musicIn(
		together(inTurn(first, music(15), second), noise(55 * 16_000, 0.003)),
	);
	assert.equal(sections.length, 1);
	assertIsFrom(sections[0], 20, 35);
});

await test('finds music under speech, 12 dB below it', async () => {
	const bed = inTurn(new Float32Array(first.length), scaled(music(20), 0.25));
	const sections = await musicIn(together(voice, bed));
	assert.equal(sections.length, 1);
	assertIsFrom(sections[0], 20, 40);
});

await test('leaves music untouched with keep_music and remove_noise, but reduces noise', async () => {
	await using service = await startService(...QUICK);
	await assertKeepsMusic(service.ann, { remove_noise: true });
});
