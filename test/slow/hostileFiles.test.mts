import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

import { guardedInput } from '../../service/media/ffmpeg/guardedInput.mts';
import { MediaToolError } from '../../service/media/ffmpeg/program.mts';
import { probeFile, runFfmpeg } from '../../service/media/ffmpeg/runFfmpeg.mts';
import { talk } from '../service/support/recordings.mts';
import { temporaryFolder } from '../service/support/temporaryFolder.mts';

await using temporary = await temporaryFolder();

/** A pipe in place of a file. A program that opens it waits. */
async function pipeAt(name: string): Promise<string> {
	const path = join(temporary.path, name);
	await promisify(execFile)('mkfifo', [path]);
	return path;
}

await test('kills a program that hangs while decoding', async () => {
	const output = join(temporary.path, 'out.wav');
	const input = guardedInput(await pipeAt('hanging.wav'));
	const reading = runFfmpeg([...input, output], undefined, { stallSeconds: 1 });
	await assert.rejects(reading, new MediaToolError('no progress for 1 s'));
});

await test('takes no recording for a bad one because the machine is busy', async () => {
	const path = await pipeAt('late.wav');
	const report = probeFile(path, 'format=format_name');
	await setTimeout(10_000);
	// ffprobe stops reading when it knows enough, which breaks the pipe.
	await writeFile(path, talk).catch(() => undefined);
	assert.deepEqual(await report, { format: { format_name: 'wav' } });
});
