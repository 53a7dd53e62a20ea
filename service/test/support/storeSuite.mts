import assert from 'node:assert/strict';

import { sql } from 'kysely';

import { Attempts } from '../../store/attempts.mts';
import { EditStore, type NewEdit } from '../../store/editStore.mts';
import { ReviewStore, waitsAt } from '../../store/reviewStore.mts';
import { FolderAge } from '../../store/files/folderAge.mts';
import { announcedFront, announceFront, NO_FRONT } from '../../store/front.mts';
import { Quota } from '../../store/quota.mts';
import { sharedSecrets } from '../../store/secrets.mts';
import { UploadStore } from '../../store/uploadStore.mts';
import { execute, type OpenDatabase } from './databases.mts';
import { failing, newEdit, OUTCOME } from './rows.mts';
import type { Suite } from './suite.mts';

/** An edit that names its upload twice, as the two tracks of a recording may. */
export function editOf(id: string, more: Partial<NewEdit> = {}): NewEdit {
	const edit = newEdit(id);
	const source = { kind: 'upload', uploadId: `u-${id}`, name: 'talk.wav' } as const;
	return { ...edit, request: { ...edit.request, sources: [source, source] }, ...more };
}

export const at = (ageMs: number) => ({ nowMs: 1_790_000_000_000 + ageMs, ageMs });

const idsOf = (rows: ReadonlyArray<{ id: string }>) => rows.map(({ id }) => id);

/** What the tables of edits and uploads do in every database. */
export const STORE_SUITE: Suite<OpenDatabase> = {
	'an edit that waits for its review is no work, and one decision counts': async (open) => {
		await using database = await open('review');
		const [store, reviews] = [new EditStore(database), new ReviewStore(database)];
		for (const id of ['a', 'b']) await store.add(newEdit(id));
		const review = {
			draft: OUTCOME,
			keptRun: 'review',
			keptBytes: 5,
			beganAtMs: 10,
			untilMs: 100,
			approvedBy: null,
			approvedAtMs: null,
		};
		const cut = { kind: 'filler', track: null, start: 1, end: 9, sure: 0.5, by: 'engine' } as const;
		const cuts = [{ ...cut, keep: false }];
		for (const id of ['a', 'b'])
			assert.ok(await reviews.begin(id, review, cuts, { nowMs: 10, ageMs: 10 }));
		assert.deepEqual(await store.unfinishedIds(), []);
		assert.deepEqual(await store.interrupt(11), new Set());
		assert.equal(await reviews.waiting(), 2);
		assert.deepEqual((await store.find('a'))?.review, review);
		const kept = [{ ...cut, keep: true }];
		const decided = await Promise.all(
			[cuts, kept].map((one) =>
				reviews.decide('a', review, { revision: 0, cuts: one }, { nowMs: 12, ageMs: 12 }),
			),
		);
		assert.deepEqual(decided.toSorted(), [false, true]);
		const approved = { ...review, approvedBy: 'Ann', approvedAtMs: 20 };
		const last = { revision: 1, cuts: kept };
		// Repeated, as after a broken connection, it takes effect once.
		for (let times = 0; times < 2; times++) {
			assert.ok(await reviews.decide('a', approved, last, { nowMs: 20, ageMs: 20 }));
		}
		assert.deepEqual(await reviews.decisionsOf('a'), { revision: 2, cuts: kept });
		assert.deepEqual(await store.unfinishedIds(), ['a']);
		assert.deepEqual([await reviews.dueIds(99), await reviews.dueIds(100)], [[], ['b']]);
		for (const revision of [1, 0]) {
			const end = { values: {}, condition: waitsAt(revision, 0) };
			const moment = { nowMs: 100, ageMs: 100 };
			const hasFailed = await store.fail('b', failing('late'), moment, null, end);
			assert.equal(hasFailed, revision === 0);
		}
		assert.equal(await reviews.waiting(), 0);
	},

	'an edit goes from submission to removal': async (open) => {
		await using database = await open('edit');
		const store = new EditStore(database);
		const attempts = new Attempts(database);
		for (const id of ['a', 'b'])
			await store.add(editOf(id, { templateId: 7, createdAtMs: 1_790_000_000_000 }));
		await store.add(editOf('c', { ownerId: 'bob' }));
		assert.equal((await store.find('a'))?.status, 'PENDING');
		assert.equal((await store.find('a'))?.createdAtMs, 1_790_000_000_000);
		assert.equal(await store.find('none'), undefined);
		assert.equal(await store.ownerOf('c'), 'bob');
		assert.deepEqual(idsOf(await store.newest(2)), ['c', 'b']);
		assert.deepEqual(idsOf(await store.newest(9, 'ann')), ['b', 'a']);
		assert.deepEqual([await attempts.count('a', 1, 0), await attempts.count('a', 1, 0)], [1, 2]);
		// Repeated, as after a broken connection, it takes effect once.
		for (let times = 0; times < 2; times++) await attempts.uncount('a', 2);
		// An edit that may have killed a process comes last.
		assert.deepEqual(await store.unfinishedIds(), ['b', 'c', 'a']);
		await store.setStatus('a', 'EDITING', 5);
		assert.deepEqual(await store.interrupt(6), new Set(['a']));
		assert.ok(await store.reserve(editOf('a'), 3_000_000_000, 3_000_000_000));
		assert.ok(!(await store.reserve(editOf('a'), 3_000_000_001, 3_000_000_000)));
		assert.ok(await store.succeed('a', OUTCOME, at(10)));
		assert.ok(!(await store.fail('a', failing('late'), at(11))));
		for (let times = 0; times < 2; times++) {
			assert.ok(await store.fail('c', failing('broken\0'), at(20)), 'repeated, it has ended');
		}
		assert.ok(!(await store.fail('c', failing('otherwise'), at(20))));
		assert.equal(await store.find('\0'), undefined);
		assert.deepEqual((await store.find('a'))?.outcome?.durationBeforeSeconds, 1.5);
		const quota = new Quota(database, 1, 4_000_000_000);
		assert.equal(await quota.leftBytes('ann'), 1_000_000_000);
		assert.equal(await quota.leftBytes('ann', 'a'), 4_000_000_000);
		assert.equal(await quota.leftBytes('nobody'), 4_000_000_000);
		assert.deepEqual(idsOf(await store.completed(7, 'ann', 10)), ['a']);
		assert.deepEqual(await store.completed(7, 'ann', 11), []);
		assert.deepEqual(await store.idsFinishedBefore(20), ['a']);
		await store.remove(['a', 'c']);
		assert.deepEqual(await store.ids(), new Set(['b']));
	},

	'counts each end once, with its times, also of edits that are gone': async (open) => {
		await using database = await open('totals');
		const store = new EditStore(database);
		const nowMs = 1_790_000_000_000;
		for (const id of ['a', 'b', 'c', 'd']) await store.add(editOf(id, { createdAtMs: nowMs }));
		const attempts = new Attempts(database);
		// Fetching a source is no work yet. 'a' comes back to the processor after a retry.
		await store.setStatus('a', 'PREPROCESSING', nowMs + 1_000);
		for (const id of ['a', 'b', 'c']) await attempts.count(id, nowMs + 3_000, 1_000);
		await attempts.uncount('a', 1);
		await attempts.count('a', nowMs + 6_000, 2_000);
		// Repeated, as after a broken connection; 'c' ends before it began, as after a clock was set back.
		for (const id of ['a', 'a', 'b']) await store.succeed(id, OUTCOME, at(9_000));
		for (const id of ['c', 'c']) await store.fail(id, failing('broken'), at(1_000));
		await store.remove(['a']);
		const { totals, kept } = await store.measure();
		const success = { status: 'SUCCESS', failed_in: '', kind: '' };
		const failure = { status: 'FAILURE', failed_in: 'PREPROCESSING', kind: 'known' };
		assert.deepEqual(
			totals.toSorted((one, other) => other.edits - one.edits).map((row) => ({ ...row })),
			[
				{ ...success, edits: 2, wait_ms: 8_000, run_ms: 10_000, recording_ms: 3_000 },
				{ ...failure, edits: 1, wait_ms: 3_000, run_ms: 0, recording_ms: 0 },
			],
		);
		const counts = kept.map(({ status, edits }) => `${edits} ${status}`).toSorted();
		assert.deepEqual(counts, ['1 FAILURE', '1 PENDING', '1 SUCCESS']);
		assert.equal(kept.find(({ status }) => status === 'PENDING')?.oldestMs, nowMs);
	},

	'adding twice, as after a broken connection, adds once': async (open) => {
		await using database = await open('twice');
		const store = new EditStore(database);
		await store.add(editOf('a'));
		await store.setStatus('a', 'EDITING', 5);
		await store.add(editOf('a'));
		assert.equal((await store.find('a'))?.status, 'EDITING');
		const uploads = new UploadStore(database);
		const upload = { id: 'u', ownerId: 'ann', fileName: 'talk.wav' };
		for (let times = 0; times < 2; times++) await uploads.add(upload, at(1));
		assert.deepEqual(await uploads.ids(), new Set(['u']));
	},

	'adds no more edits at once than an owner may have': async (open) => {
		await using database = await open('most');
		const store = new EditStore(database);
		const all = Array.from({ length: 30 }, (_, index) => editOf(`e-${index}`));
		const added = await Promise.all(all.map((edit) => store.add(edit, 5)));
		const ids = await store.ids();
		assert.equal(ids.size, 5);
		assert.deepEqual(ids, new Set(idsOf(all.filter((_, index) => added[index]))));
		for (const id of ids) assert.ok(await store.add(editOf(id), 5), 'repeated, it is there');
		assert.ok(await store.add(editOf('other', { ownerId: 'bob' }), 5));
		await store.fail([...ids][0], failing('broken'), at(1));
		assert.ok(await store.add(editOf('next'), 5));
	},

	'deleting the last edits of an upload at once deletes the upload': async (open) => {
		await using database = await open('pairs');
		const [store, uploads] = [new EditStore(database), new UploadStore(database)];
		for (let pair = 0; pair < 20; pair++) {
			const id = `u-${pair}`;
			await uploads.add({ id, ownerId: 'ann', fileName: 'talk.wav' }, at(1));
			const { request } = editOf(String(pair));
			const edits = ['a', 'b'].map((name) => editOf(`${name}-${pair}`, { request }));
			for (const edit of edits) await store.add(edit);
			const removed = edits.map((edit) => uploads.removeWithEdit(edit));
			assert.deepEqual((await Promise.all(removed)).flat(), [id]);
		}
		assert.deepEqual(await store.ids(), new Set());
		assert.deepEqual(await uploads.ids(), new Set());
	},

	'uploads that arrive at once stay within the quota together': async (open) => {
		await using database = await open('quota');
		const [store, uploads] = [new EditStore(database), new UploadStore(database)];
		await store.add(editOf('a'));
		assert.ok(await store.reserve(editOf('a'), 100, 450));
		const all = Array.from({ length: 12 }, (_, index) => ({ id: `u-${index}`, ownerId: 'ann' }));
		for (const upload of all) await uploads.add({ ...upload, fileName: 'talk.wav' }, at(1));
		const keep = (upload: (typeof all)[0], bytes = 100) =>
			uploads.markStoredWithin(450, upload, bytes, at(2));
		const kept = await Promise.all(all.map((upload) => keep(upload)));
		assert.equal(await new Quota(database, 1, 450).leftBytes('ann'), 50);
		const [first] = all.filter((_, index) => kept[index]);
		assert.ok(await keep(first, 150), 'its earlier file does not count');
		assert.ok(!(await keep(first, 151)));
		assert.ok(!(await keep({ ...first, id: 'deleted' }, 0)));
	},

	"an upload stays until its owner's last edit of it is old": async (open) => {
		await using database = await open('upload');
		const [store, uploads] = [new EditStore(database), new UploadStore(database)];
		for (const id of ['u-a', 'u-b'])
			await uploads.add({ id, ownerId: 'ann', fileName: 'talk.wav' }, at(1));
		await uploads.markStored('u-a', 4_000_000_000, at(2));
		assert.equal((await uploads.find('u-a'))?.storedAtMs, at(2).nowMs);
		assert.equal((await uploads.find('u-b'))?.storedAtMs, null);
		assert.equal(await new Quota(database, 1, 1).storedBytes('ann'), 4_000_000_000);
		await store.add(editOf('a'));
		await store.add(editOf('b', { ownerId: 'bob' }));
		const named = editOf('a').request;
		assert.deepEqual(await uploads.removeWithEdit(editOf('none', { request: named })), []);
		const foreign = editOf('none', { ownerId: 'bob', request: editOf('b').request });
		assert.deepEqual(await uploads.removeWithEdit(foreign), []);
		// Another key's edit does not count.
		assert.deepEqual(await uploads.removeUnusedSince(100), ['u-b']);
		await store.succeed('a', OUTCOME, at(50));
		assert.deepEqual(await uploads.removeUnusedSince(50), []);
		assert.deepEqual(await uploads.removeUnusedSince(51), ['u-a']);
	},

	'processes share age, front and secrets': async (open) => {
		await using one = await open('facts');
		await using other = await open('facts');
		const ages = [new FolderAge(one), new FolderAge(other)] as const;
		assert.equal(await ages[0].read(), 0);
		await ages[0].keep(5_000);
		await ages[1].keep(4_000);
		const ageMs = await ages[1].read();
		assert.ok(ageMs >= 5_000 && ageMs < 65_000, String(ageMs));
		assert.deepEqual(await announcedFront(other), NO_FRONT);
		const front = { ...NO_FRONT, url: 'http://podcasts.example', retentionDays: 3 };
		for (let times = 0; times < 2; times++) await announceFront(one, front);
		assert.deepEqual(await announcedFront(other), front);
		const secrets = await Promise.all([sharedSecrets(one), sharedSecrets(other)]);
		assert.deepEqual(secrets[0], secrets[1]);
		assert.match(secrets[0].apiKey, /^local-/);
	},

	'an age that another process has passed does not end a retention early': async (open) => {
		await using database = await open('ages');
		const [store, uploads] = [new EditStore(database), new UploadStore(database)];
		await new FolderAge(database).keep(5_000);
		await store.add(editOf('a'));
		for (const id of ['new', 'stored'])
			await uploads.add({ id, ownerId: 'ann', fileName: 'talk.wav' }, at(10));
		await uploads.markStored('stored', 1, at(10));
		await store.succeed('a', OUTCOME, at(10));
		assert.deepEqual(await uploads.removeUnusedSince(5_000), []);
		assert.deepEqual(await store.idsFinishedBefore(5_000), []);
		assert.deepEqual(await store.idsFinishedBefore(5_001), ['a']);
	},

	"the database's clock agrees roughly with this machine's": async (open) => {
		await using database = await open('clock');
		const beforeMs = Date.now();
		const [row] = await execute(database, sql`SELECT ${database.clock} AS now`);
		for (const nowMs of [Number(row.now), database.nowMs()]) {
			assert.ok(nowMs > beforeMs - 2_000 && nowMs < Date.now() + 2_000, String(nowMs));
		}
	},
};
