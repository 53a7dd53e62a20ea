import assert from 'node:assert/strict';

import { EditStore } from '../../../service/store/editStore.mts';
import { ReviewStore, waitsAt } from '../../../service/store/reviewStore.mts';
import type { OpenDatabase } from './databases.mts';
import { failing, newEdit, OUTCOME } from './rows.mts';
import type { Suite } from './suite.mts';

/** What the reviews in the table of edits do in every database. */
export const REVIEW_SUITE: Suite<OpenDatabase> = {
	'an edit that waits for its review is no work, and one decision counts': async (open) => {
		const database = await open('review');
		const [store, reviews] = [new EditStore(database), new ReviewStore(database)];
		for (const id of ['a', 'b']) await store.add(newEdit(id));
		const review = {
			...{ draft: OUTCOME, keptRun: 'review', keptBytes: 5, beganAtMs: 10, untilMs: 100 },
			...{ approvedBy: null, approvedAtMs: null },
		};
		const cut = { kind: 'filler', track: null, start: 1, end: 9, sure: 0.5, by: 'engine' } as const;
		const cuts = [{ ...cut, keep: false }];
		for (const id of ['a', 'b']) assert.ok(await reviews.begin(id, review, cuts, 10));
		assert.deepEqual(await store.unfinishedIds(), []);
		assert.deepEqual(await store.interrupt(11), new Set());
		assert.equal(await reviews.waiting(), 2);
		assert.deepEqual((await store.find('a'))?.review, review);
		const kept = [{ ...cut, keep: true }];
		const decided = await Promise.all(
			[cuts, kept].map((one) => reviews.decide('a', review, { revision: 0, cuts: one }, 12)),
		);
		assert.deepEqual(decided.toSorted(), [false, true]);
		const approved = { ...review, approvedBy: 'Ann', approvedAtMs: 20 };
		const last = { revision: 1, cuts: kept };
		// Repeated, as after a broken connection, it takes effect once.
		for (let times = 0; times < 2; times++) {
			assert.ok(await reviews.decide('a', approved, last, 20));
		}
		assert.deepEqual(await reviews.decisionsOf('a'), { revision: 2, cuts: kept });
		assert.deepEqual(await store.unfinishedIds(), ['a']);
		assert.deepEqual([await reviews.dueIds(99), await reviews.dueIds(100)], [[], ['b']]);
		const end = { values: {}, condition: waitsAt(1, 0) };
		assert.ok(!(await store.fail('b', failing('late'), { nowMs: 100, ageMs: 100 }, null, end)));
		assert.ok(
			await store.fail('b', failing('late'), { nowMs: 100, ageMs: 100 }, null, {
				...end,
				condition: waitsAt(0, 0),
			}),
		);
		assert.equal(await reviews.waiting(), 0);
		await database.close();
	},
};
