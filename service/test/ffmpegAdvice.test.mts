import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';

import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { installAdvice } from '../media/ffmpeg/ffmpeg.mts';

const ROOT = join(import.meta.dirname, '../..');

await test('says how to install ffmpeg on each platform', () => {
	assert.match(installAdvice('linux'), /"ffprobe" are on the PATH: apt-get install ffmpeg/);
	assert.match(installAdvice('darwin'), /brew install ffmpeg/);
	assert.match(installAdvice('win32'), /winget install Gyan\.FFmpeg/);
	assert.match(installAdvice('aix'), /ffmpeg\.org/);
});

await test('without any ffmpeg, the service ends with how to install it', async () => {
	await using folder = await temporaryFolder();
	// As in a package: without the packages that only a checkout of the repository has.
	await cp(join(ROOT, 'service/media/ffmpeg/ffmpeg.mts'), join(folder.path, 'ffmpeg.mts'));
	for (const name of ['which', 'isexe', 'zod']) {
		const place = join('node_modules', name);
		await cp(join(ROOT, place), join(folder.path, place), { recursive: true });
	}
	const code = "import('./ffmpeg.mts').then(({ findFfmpeg }) => findFfmpeg(process.argv[1]))";
	for (const wish of ['', 'npm', 'PATH']) {
		const env = { PATH: dirname(folder.path) };
		const options = { cwd: folder.path, env, extendEnv: false, reject: false };
		const { stderr, exitCode } = await execa(process.execPath, ['-e', code, '--', wish], options);
		assert.equal(exitCode, 1);
		assert.ok(stderr.includes(`ffmpeg and ffprobe were not found. ${installAdvice()}`), stderr);
	}
});
