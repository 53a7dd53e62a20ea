/** What is heard instead of what was muted. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { editedAudio } from '../engine/editedAudio.mts';
import { pcmSourceOf, readFrames, type PcmSource } from '../media/pcmFile.mts';
import { assertNear } from './support/assertNear.mts';
import { levelDb } from '../../testkit/service/media.mts';
import {
	areSame,
	inTurn,
	noise,
	pcmOf,
	speech,
	SPEECH_RATE_HZ,
	together,
} from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using folder = await temporaryFolder();

const ROOM = 0.001;
const voice = await speech(4);
const pause = new Float32Array(SPEECH_RATE_HZ);
const said = inTurn(voice, pause, voice, pause, voice);
const SECOND = { startSeconds: 5, endSeconds: 9 };

async function sourceOf(samples: Float32Array, channels = 1): Promise<PcmSource> {
	return pcmSourceOf(await pcmOf(samples, join(folder.path, 'sound.f32'), { channels }));
}

async function muted(source: PcmSource): Promise<Float32Array> {
	const sound = editedAudio(source, [SECOND], { mode: 'mute', isExact: true });
	assert.equal(sound.frames, source.frames);
	return await readFrames(sound, 0, sound.frames);
}

await test('what is muted sounds like the room, and no sample of it is left', async () => {
	const room = noise(said.length, ROOM);
	const before = together(said, room);
	const after = await muted(await sourceOf(before));
	for (let at = 5.05; at < 8.7; at += 0.25) {
		assertNear(levelDb(after, at, at + 0.25), -60, 2, `dB at ${at} s`);
	}
	// Twice as loud and reversed, what is muted leaves the same: nothing of it is heard.
	const other = before.map((sample, i) => {
		return i > 5 * SPEECH_RATE_HZ && i < 9 * SPEECH_RATE_HZ ? -2 * sample : sample;
	});
	const [one, two] = [after, await muted(await sourceOf(other))].map((samples) =>
		samples.slice(5.01 * SPEECH_RATE_HZ, 8.99 * SPEECH_RATE_HZ),
	);
	assert.ok(areSame(one, two));
});

await test('any part of it is the same as in the whole, on every channel', async () => {
	const stereo = Float32Array.from({ length: 2 * said.length }, (_, i) => said[i >> 1]);
	const source = await sourceOf(together(stereo, noise(stereo.length, ROOM)), 2);
	const sound = editedAudio(source, [SECOND], { mode: 'mute', isExact: false });
	const whole = await readFrames(sound, 0, sound.frames);
	const [start, frames] = [80_500, 5_000];
	const part = await readFrames(sound, start, frames);
	assert.ok(areSame(part, whole.slice(2 * start, 2 * (start + frames))));
	assert.notEqual(part[0], part[1]);
});

await test('where the room is never heard alone, silence is left', async () => {
	const without = inTurn(voice, voice, voice).map((sample, i) => sample + 0.2 * Math.sin(i / 7));
	const after = await muted(await sourceOf(without));
	assert.equal(levelDb(after, 5.1, 8.9) < -100, true);
});
