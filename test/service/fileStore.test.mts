import assert from 'node:assert/strict';
import { mkdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { eventually } from '../support/eventually.mts';
import { FILE_STORE_SUITE } from './support/fileStoreSuite.mts';
import { inFolder, MINUTE_MS } from './support/storedFiles.mts';
import { runSuite } from './support/suite.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using temporary = await temporaryFolder();

await test('a start survives files that leave incoming/ meanwhile', async () => {
	const { scratch } = await inFolder(temporary.path);
	// Listed, but gone when the service looks at it.
	await symlink('gone', scratch.incomingPath());
	const kept = scratch.incomingPath();
	const old = scratch.incomingPath();
	for (const path of [kept, old]) await writeFile(path, 'sound');
	await utimes(old, 0, 0);
	await scratch.emptyIncoming(MINUTE_MS);
	await stat(kept);
	await assert.rejects(stat(old));
});

await test('removes the folder of an edit while its old run still writes there', async () => {
	const { scratch } = await inFolder(temporary.path);
	const { work } = await scratch.startEditFolder('e');
	let isOver = false;
	let count = 0;
	const writing = async () => {
		while (!isOver) {
			await mkdir(work, { recursive: true });
			await writeFile(join(work, `${++count}`), 'sound').catch(() => undefined);
		}
	};
	const writers = Array.from({ length: 4 }, writing);
	await eventually('the old run writes', () => (count > 100 ? true : undefined));
	const removing = scratch.removeEdit('e');
	await wait(100);
	isOver = true;
	await Promise.all([removing, ...writers]);
});

await runSuite('in the storage folder', () => inFolder(temporary.path), FILE_STORE_SUITE);
