import type { IExecuteFunctions } from 'n8n-workflow';

import { systemTime } from '../../../api/time';

/** What a node knows of a recording from this and earlier executions. */
export type Remembered = 'new' | 'edited' | 'uncertain';

/** The part of n8n's context that has the memory of a node. */
export type MemoryContext = Pick<IExecuteFunctions, 'helpers' | 'getExecutionCancelSignal'>;

/*
 * n8n stores the memory: a list of hashes for each node, in its database, the same as for n8n's Remove
 * Duplicates. It can only say whether it knows an entry, and records every entry that it is asked about.
 * A recording therefore has two entries, which one call records before the submission:
 *
 *   edited   stays, and means that the recording was submitted
 *   open     goes when the service has accepted the edit
 *
 * A crash at any moment leaves a recording open, or edited, or new if nothing was sent.
 *
 * - The scope is the node, which keeps its memory when it is renamed. The scope of the workflow would
 *   be shared with its other nodes, and fail if one of them stores dates there.
 * - The memory has no maximum. n8n drops the oldest entries above one, and we would submit their
 *   recordings again. An entry takes 27 bytes of n8n's database.
 */
const SCOPE = 'node';
const ENTRIES = { mode: 'entries' } as const;

/** Whether this n8n has the memory. */
export function hasMemory({ helpers }: MemoryContext): boolean {
	return typeof helpers.checkProcessedAndRecord === 'function';
}

/** Whether it has it for this workflow: n8n remembers nothing of one that is not saved. */
export function canRemember(context: IExecuteFunctions): boolean {
	return hasMemory(context) && Boolean(context.getWorkflow().id);
}

/**
 * Looks up a recording and remembers that its submission begins.
 *
 * @param key a hash of what identifies the recording
 * @returns 'new' before the first submission, 'edited' after one that was confirmed, and 'uncertain'
 *   after one that neither `confirm` nor `forget` ended
 * @throws if the execution is stopped; then nothing has begun
 */
export async function begin(context: MemoryContext, key: string): Promise<Remembered> {
	const { helpers } = context;
	const { edited, open } = entriesOf(key);
	return await inTurn(context, async () => {
		const known = await helpers.checkProcessedAndRecord([edited, open], SCOPE, ENTRIES);
		if (known.processed.includes(open)) return 'uncertain';
		const isEdited = known.processed.includes(edited);
		// The caller of a stopped execution has gone.
		const isNew = !isEdited && !context.getExecutionCancelSignal()?.aborted;
		if (!isNew) await helpers.removeProcessed(known.new, SCOPE, ENTRIES);
		return isEdited ? 'edited' : 'new';
	});
}

/** Remembers a recording as edited: the service has accepted its edit. */
export async function confirm(context: MemoryContext, key: string): Promise<void> {
	const { edited, open } = entriesOf(key);
	await inTurn(context, async () => {
		// n8n's list has no lock, so another process of n8n may have overwritten the entry meanwhile.
		await context.helpers.checkProcessedAndRecord([edited], SCOPE, ENTRIES);
		await context.helpers.removeProcessed([open], SCOPE, ENTRIES);
	});
}

/** Forgets a recording: the service did not accept its edit, or the edit ended with FAILURE. */
export async function forget(context: MemoryContext, key: string): Promise<void> {
	const { edited, open } = entriesOf(key);
	await inTurn(context, () => context.helpers.removeProcessed([edited, open], SCOPE, ENTRIES));
}

function entriesOf(key: string): { edited: string; open: string } {
	return { edited: `edited:${key}`, open: `open:${key}` };
}

/** The last access in this process to the memory of any node. */
let lastAccess: Promise<unknown> = Promise.resolve();

/** After Stop, an access still has this long: n8n's database usually responds in milliseconds. */
const AFTER_STOP_MS = 500;

/**
 * Runs `access` after the accesses before it: n8n reads and writes a node's list without a lock.
 *
 * @throws if the execution is stopped and the database does not respond; `access` then goes on alone
 */
async function inTurn<T>(context: MemoryContext, access: () => Promise<T>): Promise<T> {
	const turn = lastAccess.then(access, access);
	lastAccess = turn;
	const signal = context.getExecutionCancelSignal();
	let onStop = () => {};
	const stopped = new Promise<never>((_resolve, reject) => {
		const giveUp = () =>
			reject(new Error("the execution was stopped while n8n's database did not respond"));
		onStop = () => void systemTime.sleep(AFTER_STOP_MS).then(giveUp);
	});
	signal?.addEventListener('abort', onStop);
	if (signal?.aborted) onStop();
	return await Promise.race([turn, stopped]).finally(() =>
		signal?.removeEventListener('abort', onStop),
	);
}
