import { randomUUID } from 'crypto';

import { Entries } from '../../../nodes/core/skip/memory/nodeMemory';
import { entriesOfState, readStates } from '../../../nodes/core/skip/memory/states';
import { entriesOfEdit, readStoredEdit } from '../../../nodes/core/skip/memory/storedEdit';

/*
 * What n8n's memory says after a crash while it was read: each write of n8n takes place whole, or not at all.
 */

/** More than any read here needs. */
const MAX_WRITES = 1_000;

type Helpers = ConstructorParameters<typeof Entries>[0];

/** n8n's memory, in which a crash can end the writes. */
function newMemory(stored: readonly string[]) {
	const entries = new Set(stored);
	let left = MAX_WRITES;
	const write = () => {
		if (left-- <= 0) throw new Error('n8n has crashed');
	};
	const helpers: Partial<Helpers> = {
		checkProcessedAndRecord: async (items) => {
			write();
			const processed = items.filter((item) => entries.has(String(item)));
			for (const item of items) entries.add(String(item));
			return { new: [], processed };
		},
		removeProcessed: async (items) => {
			write();
			for (const item of items) entries.delete(String(item));
		},
	};
	return {
		entries,
		read: new Entries(helpers as Helpers, 'node'),
		crashAfter: (writes: number) => (left = writes),
	};
}

/** Reads once with a crash after each number of writes, and then without one. */
async function expectSame<T>(stored: string[], expected: T, read: (memory: Entries) => Promise<T>) {
	for (let writes = 0, hasEnded = false; !hasEnded; writes++) {
		const memory = newMemory(stored);
		memory.crashAfter(writes);
		hasEnded = await read(memory.read).then(
			() => true,
			() => false,
		);
		memory.crashAfter(MAX_WRITES);
		expect(await read(memory.read)).toEqual(expected);
		if (stored.length > 0) expect([...memory.entries].sort()).toEqual([...stored].sort());
	}
}

it.each([
	['a UUID', randomUUID()],
	['a UUID in capitals', randomUUID().toUpperCase()],
	['a short text', 'edit-1'],
	['a text of one character', '7'],
	['16 bytes', 'sixteen-bytes-id'],
	['other characters', 'ü'.repeat(30)],
	['the longest that can be stored', 'a'.repeat(511)],
])('an ID that is %s survives a crash while it is read', async (_what, editId) => {
	const edit = { editId, day: 4_095, account: 7 };
	await expectSame(entriesOfEdit('id', edit), edit, async (memory) => {
		return await readStoredEdit(memory, 'id');
	});
});

it('no ID is made up by a crash', async () => {
	await expectSame([], undefined, async (memory) => await readStoredEdit(memory, 'id'));
});

it('two crashes in a row make no ID up', async () => {
	const edit = { editId: randomUUID(), day: 1, account: 2 };
	for (let first = 1; first < 10; first++) {
		for (let second = 1; second < 10; second++) {
			const memory = newMemory(entriesOfEdit('id', edit));
			for (const writes of [first, second]) {
				memory.crashAfter(writes);
				await readStoredEdit(memory.read, 'id').catch(() => undefined);
			}
			memory.crashAfter(MAX_WRITES);
			expect([undefined, edit]).toContainEqual(await readStoredEdit(memory.read, 'id'));
		}
	}
});

it('an ID of which a column was lost is restored, and written again', async () => {
	const edit = { editId: randomUUID(), day: 1, account: 2 };
	const stored = entriesOfEdit('id', edit);
	const memory = newMemory(stored.filter((entry) => !entry.startsWith('id/2/')));
	expect(await readStoredEdit(memory.read, 'id')).toEqual(edit);
	expect([...memory.entries].sort()).toEqual(stored.sort());
});

it('an ID of which a column is that of another ID is none', async () => {
	const [stored, other] = [1, 2].map((day) =>
		entriesOfEdit('id', { editId: randomUUID(), day, account: 2 }),
	);
	const isOfColumn = (entry: string) => entry.startsWith('id/3/');
	const mixed = [
		...stored.filter((entry) => !isOfColumn(entry)),
		...other.filter((entry) => isOfColumn(entry)),
	];
	expect(await readStoredEdit(newMemory(mixed).read, 'id')).toBeUndefined();
});

it('states survive a crash while they are read', async () => {
	const numbers = Array.from({ length: 500 }, (_, index) => index % 3);
	const names = numbers.map((_number, index) => `state:${index}`);
	const stored = numbers.flatMap((number, index) =>
		number === 1 || number === 2 ? entriesOfState(names[index], number) : [],
	);
	const expected = numbers.map((number) => ({ isFirst: number === 1, isSecond: number === 2 }));
	await expectSame(stored, expected, async (memory) => await readStates(memory, names));
});
