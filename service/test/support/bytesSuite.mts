import assert from 'node:assert/strict';

import { EditStore } from '../../store/editStore.mts';
import { Quota } from '../../store/quota.mts';
import { UploadStore } from '../../store/uploadStore.mts';
import type { OpenDatabase } from './databases.mts';
import { failing } from './rows.mts';
import { at, editOf } from './storeSuite.mts';
import type { Suite } from './suite.mts';

/** The totals that every database keeps of its rows. */
export const BYTES_SUITE: Suite<OpenDatabase> = {
	'knows the bytes of each owner after every kind of change': async (open) => {
		await using database = await open('bytes');
		const [store, uploads] = [new EditStore(database), new UploadStore(database)];
		const quota = new Quota(database, 1, Number.MAX_SAFE_INTEGER);
		const assertBytes = async (ann: number, bob: number) => {
			const stored = [await quota.storedBytes('ann'), await quota.storedBytes('bob')];
			assert.deepEqual(stored, [ann, bob]);
		};
		await assertBytes(0, 0);
		const upload = { id: 'u-a', ownerId: 'ann', fileName: 'talk.wav' };
		await uploads.add(upload, at(1));
		await uploads.add({ ...upload, id: 'old', ownerId: 'bob' }, at(1));
		await uploads.markStored('u-a', 1, at(2));
		const before = await uploads.find('u-a');
		assert.ok(before);
		await uploads.markStoredWithin(100, upload, 20, at(2));
		await uploads.markStored('old', 5_000_000_000, at(1));
		await assertBytes(20, 5_000_000_000);
		await uploads.restore(before);
		for (const id of ['a', 'b', 'c', 'd']) await store.add(editOf(id));
		for (const id of ['a', 'b', 'c', 'd']) await store.reserve(editOf(id), 100, 1_000);
		await store.reserve(editOf('a'), 300, 1_000);
		await assertBytes(601, 5_000_000_000);
		assert.equal(await quota.storedBytes('ann', 'a'), 301);
		assert.equal(await quota.storedBytes('ann', 'u-a'), 600);
		assert.equal(await quota.storedBytes('ann', 'old'), 601, "another owner's");
		await store.countNoBytes('b');
		await store.fail('c', failing('broken'), at(3));
		await assertBytes(401, 5_000_000_000);
		assert.deepEqual(await uploads.removeWithEdit(editOf('a')), ['u-a']);
		await uploads.removeUnusedSince(2);
		await assertBytes(100, 0);
		await store.remove(['b', 'c', 'd']);
		await assertBytes(0, 0);
	},
};
