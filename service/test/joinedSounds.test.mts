import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { joinedSound } from '../engine/kit/joinedSound.mts';
import { pcmSourceOf } from '../media/pcmFile.mts';
import { chapterTimeWithKit, timeWithKit } from '../shared/showKit.mts';
import { pcmOf } from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using temporary = await temporaryFolder();

await test('leaves the place of the recording as it is where nothing goes', () => {
	const insertions = [
		{ atSeconds: 0, pauseSeconds: 0, addedSeconds: 2 },
		{ atSeconds: 5, pauseSeconds: 4.5, addedSeconds: 3 },
	];
	assert.equal(timeWithKit(4.9, insertions), 6.9);
	assert.equal(timeWithKit(5, insertions), 10);
	assert.equal(timeWithKit(5, insertions, 'end'), 7);
	assert.equal(chapterTimeWithKit(4.4, insertions), 6.4);
	assert.equal(chapterTimeWithKit(4.6, insertions), 10);
});

async function part(value: number, frames: number, fadeIn: number, fadeOut: number) {
	const path = join(temporary.path, `part-${value}.f32`);
	const samples = new Float32Array(2 * (frames + 3)).fill(value);
	const pcm = await pcmOf(samples, path, { sampleRateHz: 8_000, channels: 2 });
	return { sound: pcmSourceOf(pcm), start: 3, frames, fadeIn, fadeOut };
}

await test('clips nothing where two loud sounds go over into each other', async () => {
	for (const [value, least, most] of [
		[0.9, 0.8, 0.901],
		[0.5, 0.5, 0.708],
	]) {
		const parts = [await part(value, 40, 0, 10), await part(value, 40, 10, 0)];
		const joined = joinedSound(parts, parts[0].sound);
		for await (const chunk of joined.chunks(31, 39)) {
			assert.ok(
				chunk.every((sample) => sample > least && sample < most),
				String(chunk),
			);
		}
	}
});

await test('reads joined sounds alike from any frame', async () => {
	const parts = [await part(1, 40, 0, 10), await part(2, 30, 6, 15), await part(3, 50, 15, 0)];
	const joined = joinedSound(parts, parts[0].sound);
	assert.equal(joined.frames, 40 + 30 + 50 - 6 - 15);
	const read = async (start: number, end: number) => {
		const samples: number[] = [];
		for await (const chunk of joined.chunks(start, end)) samples.push(...chunk);
		return samples;
	};
	const whole = await read(0, joined.frames);
	assert.equal(whole.length, 2 * joined.frames);
	assert.equal(whole[0], 1);
	assert.equal(whole.at(-1), 3);
	for (let start = 0; start < joined.frames; start += 5) {
		for (const length of [1, 11, 40]) {
			const end = Math.min(joined.frames, start + length);
			assert.deepEqual(await read(start, end), whole.slice(2 * start, 2 * end));
		}
	}
	for (let frame = 34; frame < 40; frame++) {
		assert.ok(whole[2 * frame] > 0.9 && whole[2 * frame] < 2.3, String(whole[2 * frame]));
	}
});
