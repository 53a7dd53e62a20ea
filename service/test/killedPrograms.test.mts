import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';

import { findFfmpeg } from '../media/ffmpeg/ffmpeg.mts';
import { startProgram } from '../media/ffmpeg/program.mts';
import { TransientTrouble } from '../shared/failures.mts';
import { addressOf, startFromSources } from '../../testkit/service/localService.ts';
import { Client } from '../../testkit/service/client.mts';
import { PLAIN, shortRecording } from '../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK } from '../../testkit/service/testService.mts';

await using temporary = await temporaryFolder();

const KEY = 'a-key-of-somebody-012345678901234567';

/** A service whose waits are over at once. */
const FLAGS = ['--port', '0', '--api-key', KEY, ...QUICK, '--clock-speed', '10000'];

/**
 * Returns an environment in which ffmpeg and ffprobe are the real ones, but end by a signal where a file in the
 * folder `signals` says so: each such file counts once, those that begin with `always-` every time.
 */
async function withSignals(folder: string, signals: readonly string[]) {
	const own = join(folder, 'signals');
	const bin = join(folder, 'bin');
	for (const path of [own, bin]) await mkdir(path, { recursive: true });
	const { ffmpegPath, ffprobePath } = findFfmpeg();
	for (const [name, real] of [
		['ffmpeg', ffmpegPath],
		['ffprobe', ffprobePath],
	]) {
		await writeFile(
			join(bin, name),
			`#!/bin/sh
for file in '${own}'/*-${name}-*; do
	[ -e "$file" ] || continue
	case "$file" in */always-*) ;; *) mv "$file" '${folder}'/ 2>/dev/null || continue ;; esac
	kill -s "\${file##*-}" $$
done
exec '${real}' "$@"
`,
		);
		await chmod(join(bin, name), 0o755);
	}
	for (const signal of signals) await writeFile(join(own, signal), '');
	const PATH = bin + delimiter + String(process.env['PATH']);
	return { ...process.env, PATH, LOCAL_SERVICE_FFMPEG: 'PATH' };
}

let names = 0;

/** Runs an edit on a service whose ffmpeg ends by signals. */
async function editWith(...signals: string[]) {
	const folder = join(temporary.path, String(++names));
	const env = await withSignals(folder, signals);
	const flags = [...FLAGS, '--storage', join(folder, 'storage')];
	const service = await startFromSources(flags, undefined, env);
	await using ending = new AsyncDisposableStack();
	ending.defer(async () => {
		await service.end('SIGKILL');
	});
	const client = new Client(addressOf(service).url, KEY);
	const { status, failureReason } = await client.run(shortRecording, PLAIN);
	return { status, reason: failureReason ?? '', log: service.log.join('\n') };
}

await test('begins again when the machine kills ffmpeg or ffprobe', async () => {
	const edit = await editWith('1-ffmpeg-KILL', '2-ffprobe-KILL', '3-ffmpeg-KILL', '4-ffprobe-TERM');
	assert.equal(edit.status, 'SUCCESS', edit.log);
	assert.match(edit.log, /will retry \(The machine ended ffmpeg \(SIGKILL\)/);
});

await test('says at the end that it was the machine', async () => {
	const edit = await editWith('always-ffmpeg-KILL');
	assert.equal(edit.status, 'FAILURE', edit.log);
	assert.match(edit.reason, /^The machine ended ffmpeg \(SIGKILL\), .*memory.* \(\d+ tries\)$/);
});

for (const signal of ['SEGV', 'ABRT', 'ILL']) {
	await test(`a program that crashes by SIG${signal} gets one more try`, async () => {
		const once = await editWith(`1-ffmpeg-${signal}`);
		assert.equal(once.status, 'SUCCESS', once.log);
		const always = await editWith(`always-ffprobe-${signal}`);
		assert.equal(always.status, 'FAILURE', always.log);
		assert.match(always.reason, new RegExp(`ffprobe crashed \\(SIG${signal}\\), twice`));
		assert.equal(always.log.match(/begins again/g)?.length, 1);
	});
}

await test('a limit of ours is named as such', async () => {
	const probed = await editWith('always-ffprobe-XCPU');
	assert.equal(probed.reason, 'Reading the file was stopped: it needs too much processor time.');
	const decoded = await editWith('always-ffmpeg-XCPU');
	assert.match(decoded.reason, /^Decoding the audio .* it needs too much processor time\.$/);
});

for (const signal of ['SIGTERM', 'SIGKILL', 'SIGINT'] as const) {
	await test(`knows ${signal} from outside, even if ffmpeg ends in good order`, async () => {
		const { ffmpegPath } = findFfmpeg();
		const endless = '-v error -nostdin -progress pipe:1 -re -f lavfi -i anullsrc -f null -';
		const limits = { stallSeconds: 600, totalSeconds: 600, memoryBytes: 500_000_000 };
		const { child, ended } = startProgram(ffmpegPath, endless.split(' '), undefined, limits);
		// Its handlers are in place once it makes progress.
		child.stdout.once('data', () => {
			process.kill(child.pid ?? 0, signal);
		});
		await assert.rejects(ended, TransientTrouble);
	});
}

await test(
	'names the limit of processor time that a program reached',
	{ timeout: 600_000 },
	async () => {
		const loop = ['-c', 'while :; do :; done'];
		const limits = {
			stallSeconds: 600,
			totalSeconds: 600,
			memoryBytes: 500_000_000,
			cpuSeconds: 1,
		};
		const { ended } = startProgram('/bin/sh', loop, undefined, limits);
		await assert.rejects(ended, /too much processor time/);
	},
);
