import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { guardedInput } from '../../service/media/ffmpeg/guardedInput.mts';
import { probe } from '../../service/media/probe.mts';
import { MediaToolError } from '../../service/media/ffmpeg/program.mts';
import { probeFile, runFfmpeg } from '../../service/media/ffmpeg/runFfmpeg.mts';
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
