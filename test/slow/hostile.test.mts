import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

import { OUTSIDE_TEXT_FUNCTIONS } from '../../bench/attack/outsideTexts.mts';
import { slowerThanLinear } from '../../bench/attack/textTrial.mts';
import { guardedInput } from '../../service/media/ffmpeg/guardedInput.mts';
import { MediaToolError } from '../../service/media/ffmpeg/program.mts';
import { probeFile, runFfmpeg } from '../../service/media/ffmpeg/runFfmpeg.mts';
import { probe } from '../../service/media/probe.mts';
import { startImpatientService } from '../service/support/halfUpload.mts';
import { temporaryFolder } from '../service/support/temporaryFolder.mts';

await using temporary = await temporaryFolder();

await test('kills a program that hangs while decoding or probing', async () => {
	const path = join(temporary.path, 'pipe.wav');
	await promisify(execFile)('mkfifo', [path]);
	const output = join(temporary.path, 'out.wav');
	const reading = runFfmpeg([...guardedInput(path), output], undefined, { stallSeconds: 1 });
	await assert.rejects(reading, new MediaToolError('no progress for 1 s'));
	await assert.rejects(probe(path), /empty|not an audio or video file/);
	await assert.rejects(probeFile(path, 'format=format_name'), /8 s/);
});

await test('finds a function that takes quadratic time', () => {
	const functions = {
		trimmed: (text: string) => text.replace(/\s+$/, ''),
		joined: (text: string) => Array.from(text).join(''),
	};
	assert.deepEqual(slowerThanLinear(functions, ['a', ' ']), ['trimmed: " "']);
});

for (const [name, read] of Object.entries(OUTSIDE_TEXT_FUNCTIONS)) {
	await test(`${name} takes linear time`, () => {
		assert.deepEqual(slowerThanLinear({ [name]: read }), []);
	});
}

await test('does not close a slow connection that takes longer than an idle one may', async () => {
	await using closing = await startImpatientService({ longestIdleMs: 10_000 });
	const slow = await closing.beginUpload();
	const answer = once(slow, 'data');
	for (const byte of '67890') {
		await wait(2_500);
		slow.write(byte);
	}
	assert.match(String(await answer), /^HTTP\/1.1 200 /);
	slow.destroy();
});
