import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';

import { newFeatures } from '../engine/detection/features.mts';
import { newProfile } from '../engine/level/levelProfile.mts';
import { sharedFloats } from '../engine/signal/sharedArrays.mts';
import { besides, endThreads, inThreads, startThreads } from '../engine/threads/engineThreads.mts';
import { Chance } from '../../testkit/measure/chance.mts';
import { whiteNoise } from '../../testkit/media/signals.mts';
import { pcmSourceOf } from '../media/pcmFile.mts';
import { pcmOf, SPEECH_RATE_HZ } from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

// Node ends the whole process if a thread is ended while it loads a module (nodejs/node#62114), which is worse with
// a top-level await (nodejs/node#53238). It is a matter of chance, so these tests check what avoids it.

for (const module of ['pool/engineWorker', 'threads/threadWork']) {
	await test(`nothing that ${module} imports has a top-level await`, async () => {
		// `require` refuses such a module.
		await execa(process.execPath, ['-e', `require('./service/engine/${module}.mts')`]);
	});
}

await test('threads that end at once have loaded before', async () => {
	const { pool } = startThreads();
	let loaded = 0;
	for (const thread of pool.threads) thread.once('message', () => (loaded += 1));
	const count = pool.threads.length;
	await endThreads();
	assert.equal(loaded, count);
	assert.equal(pool.threads.length, 0);
});

await test('threads end once they have done what was begun besides', async () => {
	await using folder = await temporaryFolder();
	const format = { sampleRateHz: SPEECH_RATE_HZ, channels: 1 };
	const sound = whiteNoise(60 * SPEECH_RATE_HZ, new Chance(1));
	const input = await pcmOf(sound, join(folder.path, 'in'), format);
	const profile = newProfile(pcmSourceOf(input));
	const { pool } = startThreads();
	const done = besides({ kind: 'profile', input, profile });
	await endThreads();
	await done;
	assert.equal(pool.threads.length, 0);
	assert.ok(profile.energies.every((energy) => energy > 0));
});

await test('a task that fails, or is stopped while the threads load, leaves no thread behind', async () => {
	const pcm = { path: '/no/such/file', frames: 130 * 16_000, channels: 1, sampleRateHz: 16_000 };
	const task = {
		kind: 'features' as const,
		pcm,
		hops: { start: 0, end: 100 },
		needs: { edges: true, voices: true },
		features: newFeatures(13_000),
	};
	const stopped = AbortSignal.abort(new Error('enough'));
	for (const [signal, why] of [
		[undefined, /./],
		[stopped, /enough/],
	] as const) {
		const { pool } = startThreads();
		await assert.rejects(inThreads([task, task], signal), why);
		assert.equal(pool.threads.length, 0);
		assert.notEqual(startThreads().pool, pool);
	}
	await endThreads();
});

// With onnxruntime-node (test/slow/nativeRuntime.test.mts), ending a thread in the middle of a network ends the process.
await test('threads that are stopped while they load or run a network end, and the process goes on', async () => {
	await using folder = await temporaryFolder();
	const path = join(folder.path, 'noise.s16');
	const frames = 60 * 16_000;
	await writeFile(
		path,
		Int16Array.from(whiteNoise(frames, new Chance(1)), (it) => 3000 * it),
	);
	const input = { path, frames, channels: 1, sampleRateHz: 16_000, sampleFormat: 's16le' as const };
	const voice = sharedFloats(2_000);
	const task = { kind: 'voice' as const, input, part: { start: 0, end: 1_800 }, voice };
	// More than they can do until then.
	const tasks = Array.from({ length: 500 }, () => task);
	for (let round = 0; round < 12; round++) {
		const stop = new AbortController();
		const { pool } = startThreads();
		const stopped = assert.rejects(inThreads(tasks, stop.signal), /enough/);
		// After a different part of the work in each round.
		setTimeout(
			() => {
				stop.abort(new Error('enough'));
			},
			400 + 40 * round,
		);
		await stopped;
		assert.equal(pool.threads.length, 0);
	}
});
