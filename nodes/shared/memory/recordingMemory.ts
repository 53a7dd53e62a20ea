import { dropFacts, entriesOfFacts, holdingFacts } from './facts';
import { type Entries, type MemoryContext, inTurn } from './nodeMemory';
import {
	type StoredEdit,
	clearStoredEdit,
	entriesOfEdit,
	isStorable,
	readStoredEdit,
} from './storedEdit';

/*
 * What n8n's memory of a node knows of a recording, as facts and the ID of its edit:
 *
 * | facts               | what became of the recording                                             |
 * |---------------------|--------------------------------------------------------------------------|
 * | none                | it has no edit                                                           |
 * | edited, open        | its submission began; with the ID, the service has accepted it, and the  |
 * |                     | result was not output yet; without one, nobody knows (uncertain)          |
 * | edited              | its result was output                                                    |
 * | failed 1, failed 2  | how often its edit ended with FAILURE for the same request                |
 */

/** A recording, and what is asked for it. Both are hashes: names and URLs must not be stored. */
export interface RecordingKey {
	readonly key: string;
	readonly request: string;
}

/** What the memory knows of a recording. */
export interface Remembered {
	/** Whether it has no edit, one whose result was output, or one that is not that far. */
	readonly state: 'new' | 'edited' | 'open';
	/** How often its edit failed for this request; 2 also for more. */
	readonly failures: 0 | 1 | 2;
}

const editedFact = (key: string) => `edited:${key}`;
const openFact = (key: string) => `open:${key}`;
const editName = (key: string) => `id:${key}`;
const failedFact = ({ key, request }: RecordingKey, count: 1 | 2) =>
	`failed:${count}:${key}:${request}`;

/** Recordings that are looked up in one turn; other executions wait meanwhile. */
const LOOKED_UP_AT_ONCE = 100;

/** Looks up recordings, in the order in which they are given. */
export async function lookUpAll(
	context: MemoryContext,
	recordings: readonly RecordingKey[],
): Promise<Remembered[]> {
	const found: Remembered[] = [];
	for (let from = 0; from < recordings.length; from += LOOKED_UP_AT_ONCE) {
		const some = recordings.slice(from, from + LOOKED_UP_AT_ONCE);
		const known = await inTurn(context, async (entries) => await lookUpSome(entries, some));
		found.push(...known);
	}
	return found;
}

async function lookUpSome(
	entries: Entries,
	recordings: readonly RecordingKey[],
): Promise<Remembered[]> {
	const known = await holdingFacts(
		entries,
		recordings.flatMap((one) => [editedFact(one.key), failedFact(one, 1)]),
	);
	const edited = recordings.filter(({ key }) => known.has(editedFact(key)));
	const failing = recordings.filter((one) => known.has(failedFact(one, 1)));
	const more = await holdingFacts(entries, [
		...edited.map(({ key }) => openFact(key)),
		...failing.map((one) => failedFact(one, 2)),
	]);
	return recordings.map((one): Remembered => {
		const isEdited = known.has(editedFact(one.key));
		const isOpen = isEdited && more.has(openFact(one.key));
		const hasFailed = known.has(failedFact(one, 1));
		return {
			state: isOpen ? 'open' : isEdited ? 'edited' : 'new',
			failures: !hasFailed ? 0 : more.has(failedFact(one, 2)) ? 2 : 1,
		};
	});
}

/** The edit of a recording that is open; undefined if nobody knows whether the service took it. */
export async function readEdit(
	context: MemoryContext,
	key: string,
): Promise<StoredEdit | undefined> {
	return await inTurn(context, async (entries) => await readStoredEdit(entries, editName(key)));
}

/**
 * Remembers that the submission of a recording begins. Returns the entries of that.
 *
 * @throws if the execution is stopped; then nothing has begun
 */
export async function begin(context: MemoryContext, key: string): Promise<string[]> {
	return await inTurn(context, async (entries) => await beginIn(context, entries, key));
}

/** The same for a recording that has no edit; returns what the memory knew of it. */
export async function beginIfNew(context: MemoryContext, key: string): Promise<Remembered> {
	return await inTurn(context, async (entries) => {
		const [found] = await lookUpSome(entries, [{ key, request: '' }]);
		if (found.state === 'new') await beginIn(context, entries, key);
		return found;
	});
}

async function beginIn(context: MemoryContext, entries: Entries, key: string): Promise<string[]> {
	// The caller of a stopped execution has gone.
	if (context.getExecutionCancelSignal()?.aborted) throw new Error('the execution was stopped');
	const all = entriesOfFacts([editedFact(key), openFact(key)]);
	await entries.record(all);
	return all;
}

/** Remembers the edit that the service accepted for a recording. Returns the entries of that. */
export async function accepted(
	context: MemoryContext,
	key: string,
	edit: StoredEdit,
): Promise<string[]> {
	const facts = entriesOfFacts([editedFact(key), openFact(key)]);
	const id = isStorable(edit.editId) ? entriesOfEdit(editName(key), edit) : [];
	const all = [...facts, ...id];
	await inTurn(context, async (entries) => await entries.record(all));
	return all;
}

/** Remembers that the results of recordings were output, then removes the IDs of their edits. */
export async function delivered(
	context: MemoryContext,
	recordings: ReadonlyArray<{ readonly key: string; readonly edit?: StoredEdit }>,
): Promise<void> {
	const open = recordings.map(({ key }) => openFact(key));
	await inTurn(context, async (entries) => await dropFacts(entries, open));
	for (const { key, edit } of recordings) {
		const id = edit === undefined ? [] : entriesOfEdit(editName(key), edit);
		await inTurn(context, async (entries) => await entries.remove(id));
	}
}

/** Remembers a recording as edited, whatever became of its submission. */
export async function settle(context: MemoryContext, key: string): Promise<void> {
	await inTurn(context, async (entries) => {
		await entries.record(entriesOfFacts([editedFact(key)]));
		await dropFacts(entries, [openFact(key)]);
	});
}

/** Clears what two spoiled copies have left of the ID of an edit. */
export async function clearSpoiled(context: MemoryContext, key: string): Promise<void> {
	await inTurn(context, async (entries) => await clearStoredEdit(entries, editName(key)));
}

/** Forgets a recording: the service did not accept its edit. */
export async function forget(context: MemoryContext, key: string): Promise<void> {
	await inTurn(context, async (entries) => {
		await dropFacts(entries, [editedFact(key), openFact(key)]);
	});
}

/** Counts a FAILURE of the edit of a recording, which then has no edit. */
export async function failed(
	context: MemoryContext,
	recording: RecordingKey,
	failuresBefore: Remembered['failures'],
	edit?: StoredEdit,
): Promise<void> {
	const { key } = recording;
	const count = failuresBefore === 0 ? 1 : 2;
	await inTurn(context, async (entries) => {
		// First the count: a crash in between must not lose it.
		await entries.record(entriesOfFacts([failedFact(recording, count)]));
		await dropFacts(entries, [editedFact(key), openFact(key)]);
		if (edit !== undefined) await entries.remove(entriesOfEdit(editName(key), edit));
	});
}
