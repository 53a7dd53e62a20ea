import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { findEdits } from '../engine/findEdits.mts';
import { endThreads } from '../engine/threads/engineThreads.mts';
import { readTrack } from '../engine/track.mts';
import { silentPauses } from '../engine/voice/silentPauses.mts';
import { resolveEditConfig } from '../shared/contract.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import {
	inTurn,
	noise,
	pcmOf,
	scaled,
	speech,
	SPEECH_RATE_HZ,
	together,
	wavOf,
} from '../../testkit/service/signals.mts';
import { assertNear } from './support/assertNear.mts';

await using temporary = await temporaryFolder();
const folder = temporary.path;

const voice = await speech(20);
const seconds = (sound: Float32Array, from: number, to: number) => {
	return sound.slice(from * SPEECH_RATE_HZ, to * SPEECH_RATE_HZ);
};
const silence = (length: number) => new Float32Array(length * SPEECH_RATE_HZ);
const hissing = (sound: Float32Array) => together(sound, noise(sound.length, 0.004));

/** Somebody speaks for 10 s, then there are 4 s of something, then somebody speaks on. */
const around = (middle: Float32Array) =>
	hissing(inTurn(seconds(voice, 0, 10), middle, seconds(voice, 10, 16)));

const PAUSE = { kind: 'long_silence' as const, startSeconds: 10.5, endSeconds: 13.5, sure: 1 };

async function silentIn(sound: Float32Array) {
	const format = { sampleRateHz: SPEECH_RATE_HZ, channels: 1 };
	return await silentPauses([PAUSE], await pcmOf(sound, join(folder, 'in'), format));
}

await test('a pause in noise is silent, and one in which somebody speaks softly is not', async () => {
	assert.deepEqual(await silentIn(around(silence(4))), [PAUSE]);
	assert.deepEqual(await silentIn(around(scaled(seconds(voice, 2, 6), 0.2))), []);
});

await test('of a pause with a soft word in it the longest silent part goes', async () => {
	const word = inTurn(silence(1), scaled(seconds(voice, 2, 2.6), 0.3), silence(2.4));
	const [part, ...more] = await silentIn(around(word));
	assert.deepEqual(more, []);
	assert.equal(part.endSeconds, PAUSE.endSeconds);
	assertNear(part.startSeconds, 11.7, 0.3, 'seconds');
});

await test('an edit of long silences alone finds them in noise without taking the noise away', async () => {
	const sourcePath = join(folder, 'noisy.wav');
	await writeFile(sourcePath, wavOf(around(silence(4))));
	const config = resolveEditConfig({ long_silences: true, remove_noise: false });
	const track = await readTrack({ sourcePath, config, maxSourceSeconds: 600, workFolder: folder });
	const [cut, ...more] = await findEdits(config, [track]);
	await endThreads();
	assert.deepEqual(more, []);
	assert.ok(cut.startSeconds > 10 && cut.endSeconds < 14.1, JSON.stringify(cut));
	assert.ok(cut.endSeconds - cut.startSeconds > 2.5, JSON.stringify(cut));
	const files = await readdir(folder);
	assert.ok(!files.some((name) => name.includes('denoised')), files.join());
});
