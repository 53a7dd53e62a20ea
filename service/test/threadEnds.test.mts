import assert from 'node:assert/strict';
import { test } from 'node:test';

import { execa } from 'execa';

import { newFeatures } from '../engine/detection/features.mts';
import { endThreads, inThreads, startThreads } from '../engine/threads/engineThreads.mts';

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

await test('a task that fails, or is stopped while the threads load, leaves no thread behind', async () => {
	const pcm = { path: '/no/such/file', frames: 130 * 16_000, channels: 1, sampleRateHz: 16_000 };
	const task = {
		kind: 'features' as const,
		pcm,
		hops: { start: 0, end: 100 },
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
