import assert from 'node:assert/strict';

import { EditStore } from '../../store/editStore.mts';
import type { OpenDatabase } from './databases.mts';
import { newEdit, OUTCOME } from './rows.mts';
import { at, editOf } from './storeSuite.mts';
import type { Suite } from './suite.mts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
	umlaut: ['Gespräch mit ÄNNE Groß.wav'],
	tracks: ['Ann 100%.wav', 'bob_b.WAV'],
	decomposed: ['Cafe\u0301 1000.mp3'],
	greek: ['ΟΔΟΣ.mp3'],
	quoted: ["It's 50\\50.mp3"],
};

const ALL = Object.keys(NAMES).toReversed();

/** What is entered, and the edits that it finds. */
const SEARCHES: ReadonlyArray<readonly [search: string, found: readonly string[]]> = [
	['', ALL],
	['  ', ALL],
	['gespräch', ['umlaut']],
	['gross ÄNNE', ['umlaut']],
	['änne', ['umlaut']],
	['GROẞ', ['umlaut']],
	['BOB', ['tracks']],
	['bob ann', ['tracks']],
	['0%', ['tracks']],
	['b_b', ['tracks']],
	['b_', ['tracks']],
	['%', ['tracks']],
	['CAFÉ', ['decomposed']],
	['cafe', ['decomposed']],
	['οδος', ['greek']],
	['οδοσ', ['greek']],
	["it's 50\\", ['quoted']],
	['hosted', ['quoted']],
	['wav', ['tracks', 'umlaut']],
	['v\u0000', []],
	['ann.*', []],
	['nobody', []],
	['\ud800', ['tracks']],
	[`ann ${'x'.repeat(100_000)}`, []],
	['% '.repeat(100_000), ['tracks']],
	[Array.from({ length: 100 }, (_, word) => String.fromCodePoint(0x4e00 + word)).join(' '), []],
];

const idsOf = (rows: ReadonlyArray<{ id: string }>) => rows.map(({ id }) => id);

/** How edits are found by name in every database. */
export const SEARCH_SUITE: Suite<OpenDatabase> = {
	'finds edits by the words of their file names, in any case and spelling': async (open) => {
		await using database = await open('names');
		const store = new EditStore(database);
		for (const [id, tracks] of Object.entries(NAMES)) {
			const { request } = newEdit(id);
			const sources = tracks.map((name) => ({ kind: 'upload', uploadId: id, name }) as const);
			await store.add(editOf(id, { request: { ...request, sources } }));
		}
		await store.succeed('quoted', { ...OUTCOME, fileName: 'Hosted-edited.mp3' }, at(1));
		for (const [search, found] of SEARCHES) {
			const edits = idsOf(await store.newest(9, null, { search }));
			assert.deepEqual(edits, found, search.slice(0, 20));
			const counts = Object.values(await store.counts('ann', search));
			const total = counts.reduce((sum, count) => sum + count, 0);
			assert.equal(total, found.length, search.slice(0, 20));
		}
		assert.deepEqual(await store.counts('bob', 'ann'), await store.counts('bob'));
		const ended = await store.newest(9, 'ann', { search: 'MP3', state: 'succeeded' });
		assert.deepEqual(idsOf(ended), ['quoted']);
		assert.deepEqual(idsOf(await store.newest(1, 'ann', { search: 'MP3', from: 1 })), ['greek']);
	},
};
