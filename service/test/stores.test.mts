import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, writeFile, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { sql } from 'kysely';

import { EditStore, type NewEdit } from '../store/editStore.mts';
import { Quota } from '../store/quota.mts';
import { ReviewStore } from '../store/reviewStore.mts';
import { UploadStore } from '../store/uploadStore.mts';
import { runEdit } from '../work/runEdit.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { BYTES_SUITE } from './support/bytesSuite.mts';
import { sqliteIn, execute } from './support/databases.mts';
import { FILE_STORE_SUITE } from './support/fileStoreSuite.mts';
import { openParts } from './support/openedParts.mts';
import { watched } from './support/queryPlans.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { addEdit, newEdit, OUTCOME } from './support/rows.mts';
import { SEARCH_SUITE } from './support/searchSuite.mts';
import { SHARING_SUITE } from './support/sharingSuite.mts';
import { STORE_SUITE } from './support/storeSuite.mts';
import { inFolder } from './support/storedFiles.mts';
import { runSuite } from './support/suite.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using temporary = await temporaryFolder();

const databases = { ...STORE_SUITE, ...SEARCH_SUITE, ...BYTES_SUITE, ...SHARING_SUITE };
await runSuite('SQLite', () => sqliteIn(temporary.path), databases);

await test('measures edits and uploads by indexes alone: a row may be large', async () => {
	await using database = await sqliteIn(temporary.path)('plan');
	const explain = sql`EXPLAIN QUERY PLAN SELECT status, SUM(bytes), MIN(created_at_ms + started_at_ms),
		(SELECT SUM(bytes) FROM uploads) FROM edits GROUP BY status`;
	const plan = (await execute(database, explain)).map(({ detail }) => detail).join();
	for (const table of ['edits', 'uploads'])
		assert.match(plan, new RegExp(`SCAN ${table} USING COVERING INDEX`));
});

await test('finds what it answers, queues and deletes by indexes, not by reading all rows', async () => {
	await using file = await sqliteIn(temporary.path)('plans');
	const { database, steps } = watched(file, join(temporary.path, 'plans.sqlite'));
	const [store, uploads] = [new EditStore(database), new UploadStore(database)];
	const [reviews, quota] = [new ReviewStore(database), new Quota(database, 1, 1)];
	const [edit, moment] = [newEdit('a', { templateId: 7 }), { nowMs: 1, ageMs: 1 }];
	const upload = { id: 'a', ownerId: 'ann', fileName: 'talk.wav' };
	await quota.leftBytes('ann', 'a');
	await uploads.add(upload, moment);
	await uploads.markStoredWithin(1, upload, 1, moment);
	await uploads.isUsed('a');
	await store.add(edit, 1);
	await store.newest(100, 'ann');
	await store.unfinishedIds();
	await store.interrupt(1);
	await reviews.waiting();
	await reviews.dueIds(1);
	await store.reserve(edit, 1, 1);
	await store.succeed('a', OUTCOME, moment);
	await store.completed(7, 'ann', 0);
	await store.idsFinishedBefore(0);
	await uploads.removeUnusedSince(0);
	await uploads.removeWithEdit(edit);
	const all = await steps();
	assert.ok(all.some((step) => step.startsWith('SEARCH edits USING INDEX edits_by_template')));
	// A scan of a partial index reads only the few rows in it.
	const isPartial = /^SCAN edits USING (COVERING )?INDEX edits_(unfinished|by_review) /;
	const isScan = /^SCAN (edits|uploads|upload_uses|stored_bytes)\b/;
	const readingAll = all.filter((step) => isScan.test(step) && !isPartial.test(step));
	assert.deepEqual(readingAll, []);
	const sorting = all.filter((step) => step.startsWith('USE TEMP B-TREE'));
	assert.deepEqual(
		sorting.filter((step) => !step.includes('order by "attempts"')),
		[],
	);
});

const { request } = newEdit('mailed');
const MAILED = { ...request, config: { ...request.config, send_email: true } };

await test('a run that lost its edit neither ends it nor touches its files', async (parent) => {
	await using parts = await openParts(join(temporary.path, 'storage'));
	const { tools, database } = parts;
	/** Runs an edit that loses its claim at the nth check. */
	const loseAt = async (id: string, nth: number, hasSource: boolean, more?: Partial<NewEdit>) => {
		if (hasSource) {
			const upload = { id, ownerId: 'ann', fileName: 'talk.wav' };
			await tools.uploads.add(upload, tools.clock.moment());
			const arrived = tools.scratch.incomingPath();
			await writeFile(arrived, shortRecording);
			await tools.files.keepUpload(arrived, upload);
			await tools.uploads.markStored(id, shortRecording.length, tools.clock.moment());
		}
		const stopping = new AbortController();
		let checks = 0;
		const folder = tools.scratch.editFolder(id);
		const confirm = async () => {
			if (++checks !== nth) return;
			await mkdir(join(folder, 'work', 'of-another'), { recursive: true });
			stopping.abort();
		};
		const claim = { token: null, confirm };
		await runEdit(await addEdit(tools.store, id, more), tools, stopping.signal, claim);
		assert.ok(checks >= nth);
		const edit = await tools.store.find(id);
		assert.equal(edit?.finishedAtMs, null);
		const [row] = await execute(database, sql`SELECT attempts FROM edits WHERE id = ${id}`);
		assert.equal(row.attempts, 0);
		assert.deepEqual(await readdir(join(folder, 'work')), ['of-another']);
		return await readdir(folder);
	};
	for (const nth of [1, 2, 3, 4]) {
		const isRenamed = nth > 2;
		const before = isRenamed ? 'SUCCESS' : 'the result folder is renamed';
		await parent.test(`before ${before}, at check ${nth}`, async () => {
			// The result may belong to the process that now has the edit.
			const kept = isRenamed ? ['result', 'source-1.wav', 'work'] : ['source-1.wav', 'work'];
			assert.deepEqual(await loseAt(`lost-${nth}`, nth, true), kept);
		});
	}
	await parent.test('before the e-mail, at the third check', async () => {
		await loseAt('mailed', 3, true, { request: MAILED });
		await assert.rejects(readdir(tools.scratch.outboxFolder), { code: 'ENOENT' });
	});
	await parent.test('before FAILURE', async () => {
		assert.deepEqual(await loseAt('fifth', 1, false), ['work']);
	});
});

await test('a start survives files that leave incoming/ meanwhile', async () => {
	const { scratch } = await inFolder(temporary.path);
	// Listed, but gone when the service looks at it.
	await symlink('gone', scratch.incomingPath());
	const kept = scratch.incomingPath();
	const old = scratch.incomingPath();
	for (const path of [kept, old]) await writeFile(path, 'sound');
	// The clock was wrong when they arrived.
	for (const path of [kept, old]) await utimes(path, 0, 0);
	await scratch.emptyIncoming(() => appendFile(kept, 'more'));
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
			await mkdir(work, { recursive: true }).catch(() => undefined);
			await writeFile(join(work, `${++count}`), 'sound').catch(() => undefined);
		}
	};
	const writers = Array.from({ length: 4 }, writing);
	await eventually('the old run writes', () => count > 100);
	const removing = scratch.removeEdit('e');
	await wait(100);
	isOver = true;
	await Promise.all([removing, ...writers]);
});

await runSuite('in the storage folder', () => inFolder(temporary.path), FILE_STORE_SUITE);
