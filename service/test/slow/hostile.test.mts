import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { execa } from 'execa';

import { OUTSIDE_TEXT_FUNCTIONS } from '../../../testkit/text/outsideTexts.mts';
import { slowerThanLinear } from '../../../testkit/text/textTrial.mts';
import { guardedInput } from '../../media/ffmpeg/guardedInput.mts';
import { OverTimeLimit } from '../../media/ffmpeg/program.mts';
import { probeFile, runFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import { startImpatientService } from '../support/halfUpload.mts';
import { talk } from '../../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';

await using temporary = await temporaryFolder();

/** A pipe in place of a file. A program that opens it waits. */
async function pipeAt(name: string): Promise<string> {
	const path = join(temporary.path, name);
	await execa('mkfifo', [path]);
	return path;
}

await test('kills a program that hangs while decoding', async () => {
	const output = join(temporary.path, 'out.wav');
	const input = guardedInput(await pipeAt('hanging.wav'));
	const reading = runFfmpeg([...input, output], undefined, { stallSeconds: 1 });
	await assert.rejects(reading, new OverTimeLimit('no progress for 1 s'));
});

await test('takes no recording for a bad one because the machine is busy', async () => {
	const path = await pipeAt('late.wav');
	const report = probeFile(path, 'format=format_name');
	await wait(10_000);
	// ffprobe stops reading when it knows enough, which breaks the pipe.
	await writeFile(path, talk).catch(() => undefined);
	assert.deepEqual(await report, { format: { format_name: 'wav' } });
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
	await using closing = await startImpatientService({ maxIdleMs: 10_000 });
	const slow = await closing.beginUpload();
	const answer = once(slow, 'data');
	for (const byte of '67890') {
		await wait(2_500);
		slow.write(byte);
	}
	assert.match(String(await answer), /^HTTP\/1.1 200 /);
	slow.destroy();
});
