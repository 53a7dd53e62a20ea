import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { EnginePool } from '../engine/pool/enginePool.mts';
import { queuedOf } from '../queue/priorities.mts';
import { Places } from '../work/places.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

/** Asks for places in order, and notes who got one. */
function askers(places: number) {
	const all = new Places(places);
	const begun: string[] = [];
	const frees = new Map<string, () => void>();
	const settled = () => new Promise((resolve) => setImmediate(resolve));
	const ask = async (edit: string, signal = new AbortController().signal) => {
		// The key is the letter: a1 and a2 are edits of one.
		const taken = all.acquire(edit[0], signal).then((free) => {
			begun.push(edit);
			frees.set(edit, free);
		});
		await Promise.race([taken, settled()]);
	};
	const end = async (edit: string) => {
		frees.get(edit)?.();
		await settled();
	};
	return { begun, ask, end };
}

await test('gives a key with nothing at work one place more, but only one', async () => {
	const { begun, ask, end } = askers(2);
	for (const edit of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) await ask(edit);
	assert.deepEqual(begun, ['a1', 'a2', 'b1']);
	// The place of a1 goes to nobody who has one; c has none.
	await end('a1');
	assert.deepEqual(begun.slice(3), ['c1']);
	await end('b1');
	assert.deepEqual(begun.slice(4), ['b2']);
	await end('c1');
	assert.equal(begun.length, 5, 'a has one at work, and there is no free place');
	await end('b2');
	assert.deepEqual(begun.slice(5), ['a3']);
});

await test('gives one key all places while no other asks, in order', async () => {
	const { begun, ask, end } = askers(2);
	for (const edit of ['a1', 'a2', 'a3', 'a4']) await ask(edit);
	assert.deepEqual(begun, ['a1', 'a2']);
	await end('a2');
	await end('a1');
	assert.deepEqual(begun, ['a1', 'a2', 'a3', 'a4']);
});

await test('an edit that is stopped while it waits takes no place', async () => {
	const { begun, ask, end } = askers(1);
	await ask('a1');
	const stopping = new AbortController();
	const places = new Places(1);
	const free = await places.acquire('a', stopping.signal);
	const waiting = places.acquire('a', stopping.signal);
	stopping.abort(new Error('deleted'));
	await assert.rejects(waiting, /deleted/);
	await assert.rejects(places.acquire('a', stopping.signal), /deleted/);
	free();
	await places.acquire('a', new AbortController().signal);
	await end('a1');
	await ask('a2');
	assert.deepEqual(begun, ['a1', 'a2']);
});

await test("counts a key's edits before each, those at work first", () => {
	const unfinished = ['a1', 'a2', 'b1', 'a3', 'b2'].map((id) => ({ id, ownerId: id[0] }));
	assert.deepEqual(queuedOf(unfinished, new Set(['a3'])), [
		{ id: 'a1', priority: 1 },
		{ id: 'a2', priority: 2 },
		{ id: 'b1', priority: 0 },
		{ id: 'b2', priority: 1 },
	]);
});

const NEEDS_PROC = { skip: !existsSync('/proc/thread-self') };

await test(
	'a long recording runs at lower priority, and the next one does not',
	NEEDS_PROC,
	async () => {
		await using folder = await temporaryFolder();
		const module = join(folder.path, 'engine.mts');
		const cpuPriority = new URL('../engine/threads/cpuPriority.mts', import.meta.url);
		await writeFile(
			module,
			`import { readlinkSync } from 'node:fs';
		import { getPriority } from 'node:os';
		import { hasLowPriority, lowerPriorityIfLong } from '${cpuPriority.href}';
		export default ({ work, port }) => {
			lowerPriorityIfLong(work.request.maxSourceSeconds);
			const id = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
			port.close();
			return { kind: 'speech', speech: { seconds: getPriority(id) }, hasLowPriority: hasLowPriority() };
		};`,
		);
		const pool = new EnginePool(1, pathToFileURL(module));
		const priorityFor = async (maxSourceSeconds: number) => {
			const request = { sourcePath: '', outputPath: '', maxSourceSeconds };
			return (await pool.readSpeech(request, new AbortController().signal)).seconds;
		};
		const usual = await priorityFor(599);
		// The tests may themselves run at a low priority, and there is none below.
		const low = Math.min(usual + 10, constants.priority.PRIORITY_LOW);
		assert.deepEqual(
			[
				await priorityFor(600),
				await priorityFor(10),
				await priorityFor(10_800),
				await priorityFor(1),
			],
			[low, usual, low, usual],
		);
		await pool.close();
	},
);
