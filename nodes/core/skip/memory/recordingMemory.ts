import type { RecordingKey } from '../../ledger/submissionLedger';
import { type Entries, type MemoryContext, inTurn, singly } from './nodeMemory';
import {
	type StoredEdit,
	clearStoredEdit,
	entriesOfEdit,
	isStorable,
	readStoredEdit,
} from './storedEdit';
import { entriesOfState, readStates } from './states';

/*
 * What n8n's memory of a node knows of a recording: two states, and the ID of its edit.
 *
 * | the recording | what became of it                                                               |
 * |---------------|---------------------------------------------------------------------------------|
 * | none          | it has no edit                                                                  |
 * | open          | its submission began; with the ID, the service has accepted it, and the result  |
 * |               | was not output yet; without one, nobody knows (uncertain)                       |
 * | edited        | its result was output                                                           |
 *
 * The other state counts how often its edit ended with FAILURE for the same request.
 */

/** What the memory knows of a recording. */
export interface Remembered {
	/** Whether it has no edit, one whose result was output, or one that is not that far. */
	readonly state: 'new' | 'edited' | 'open';
	/** How often its edit failed for this request; 2 also for more. */
	readonly failures: 0 | 1 | 2;
}

const OPEN = 1;
const EDITED = 2;

const recordingName = (key: string) => `edit:${key}`;
const failuresName = ({ key, request }: RecordingKey) => `failed:${key}:${request}`;
const idName = (key: string) => `id:${key}`;

const openEntries = (key: string) => entriesOfState(recordingName(key), OPEN);
const editedEntries = (key: string) => entriesOfState(recordingName(key), EDITED);
const allEntries = (key: string) => [...openEntries(key), ...editedEntries(key)];

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
	const names = recordings.flatMap((one) => [recordingName(one.key), failuresName(one)]);
	const states = await readStates(entries, names);
	return recordings.map((_one, index): Remembered => {
		const [recording, failures] = states.slice(2 * index);
		return {
			// Both after a crash while its result was being remembered as output: it is output again.
			state: recording.isFirst ? 'open' : recording.isSecond ? 'edited' : 'new',
			failures: failures.isSecond ? 2 : failures.isFirst ? 1 : 0,
		};
	});
}

/** The edit of a recording that is open; undefined if nobody knows whether the service took it. */
export async function readEdit(
	context: MemoryContext,
	key: string,
): Promise<StoredEdit | undefined> {
	return await inTurn(context, async (entries) => await readStoredEdit(entries, idName(key)));
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
	const all = openEntries(key);
	await entries.record(all);
	return all;
}

/** Remembers the edit that the service accepted for a recording. Returns the entries of that. */
export async function accepted(
	context: MemoryContext,
	key: string,
	edit: StoredEdit,
): Promise<string[]> {
	const id = isStorable(edit.editId) ? entriesOfEdit(idName(key), edit) : [];
	const all = [...openEntries(key), ...id];
	await inTurn(context, async (entries) => await entries.record(all));
	return all;
}

/** Remembers that the results of recordings were output, then removes the IDs of their edits. */
export async function delivered(
	context: MemoryContext,
	recordings: ReadonlyArray<{ readonly key: string; readonly edit?: StoredEdit }>,
): Promise<void> {
	await inTurn(context, async (entries) => {
		await entries.record(recordings.flatMap(({ key }) => editedEntries(key)));
		await entries.remove(recordings.map(({ key }) => openEntries(key)));
	});
	for (const { key, edit } of recordings) {
		const id = edit === undefined ? [] : singly(entriesOfEdit(idName(key), edit));
		await inTurn(context, async (entries) => await entries.remove(id));
	}
}

/** Remembers a recording as edited, whatever became of its submission. */
export async function settle(context: MemoryContext, key: string): Promise<void> {
	await inTurn(context, async (entries) => {
		await entries.record(editedEntries(key));
		await entries.remove([openEntries(key)]);
	});
}

/** Clears what is left of the ID of an edit of which two columns are spoiled. */
export async function clearSpoiled(context: MemoryContext, key: string): Promise<void> {
	await inTurn(context, async (entries) => await clearStoredEdit(entries, idName(key)));
}

/** Forgets a recording: the service did not accept its edit. */
export async function forget(context: MemoryContext, key: string): Promise<void> {
	await inTurn(context, async (entries) => await entries.remove([allEntries(key)]));
}

/** Counts a FAILURE of the edit of a recording, which then has no edit. */
export async function failed(
	context: MemoryContext,
	recording: RecordingKey,
	failuresBefore: Remembered['failures'],
	edit?: StoredEdit,
): Promise<void> {
	const { key } = recording;
	const name = failuresName(recording);
	const count = failuresBefore === 0 ? 1 : 2;
	await inTurn(context, async (entries) => {
		// First the count: a crash in between must not lose it.
		await entries.record(entriesOfState(name, count));
		const before = count === 2 ? entriesOfState(name, 1) : [];
		await entries.remove([allEntries(key), before]);
		if (edit !== undefined) await entries.remove(singly(entriesOfEdit(idName(key), edit)));
	});
}
