import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';

import { systemTime } from '../../../../api/time';

/*
 * n8n's memory of a node: a list of hashes in its database, the same as for n8n's Remove Duplicates. It is
 * written at once, so it survives the death of n8n. It can only say whether it knows an entry, it records
 * every entry that it is asked about, and each call reads and writes the whole list without a lock.
 *
 * - The scope is the node, which keeps its memory when it is renamed. The scope of the workflow is
 *   shared with its other nodes, and fails if one of them stores dates there: see deletedEdits.ts.
 * - The memory has no maximum. n8n drops the oldest entries above one, and we would submit their
 *   recordings again. An entry takes 27 bytes of n8n's database.
 */
const ENTRIES = { mode: 'entries' } as const;

/** n8n searches its list anew for each entry to remove; more at once would block its event loop. One column of an ID. */
const REMOVED_AT_ONCE = 126;

/** The part of n8n's context that has the memory of a node. */
export type MemoryContext = Pick<IExecuteFunctions, 'helpers' | 'getExecutionCancelSignal'>;

/** Whether this n8n has the memory. */
export function hasMemory({ helpers }: Pick<MemoryContext, 'helpers'>): boolean {
	return typeof helpers.checkProcessedAndRecord === 'function';
}

/** The ID that n8n's editor gives a workflow which was never saved. */
const NEVER_SAVED = '__EMPTY__';

/** Whether it has it for this workflow: n8n remembers nothing of one that is not saved. */
export function canRemember(context: IExecuteFunctions): boolean {
	const { id } = context.getWorkflow();
	return hasMemory(context) && Boolean(id) && id !== NEVER_SAVED;
}

/** Entries that need not be removed in one write. */
export function singly(entries: readonly string[]): string[][] {
	return entries.map((entry) => [entry]);
}

/** The entries of a node, or of its workflow, in n8n's memory. */
export class Entries {
	constructor(
		private readonly helpers: MemoryContext['helpers'],
		private readonly scope: DeduplicationScope,
	) {}

	/** Records entries in one write. Returns those that were there before. */
	async record(entries: readonly string[]): Promise<ReadonlySet<string>> {
		if (entries.length === 0) return new Set();
		const known = await this.helpers.checkProcessedAndRecord([...entries], this.scope, ENTRIES);
		return new Set(known.processed.map(String));
	}

	/**
	 * Returns which of the entries are there. A crash meanwhile leaves them all there, except that a write
	 * removes all or none of a group.
	 */
	async ask(groups: ReadonlyArray<readonly string[]>): Promise<ReadonlySet<string>> {
		const known = await this.record(groups.flat());
		await this.remove(groups.map((group) => group.filter((entry) => !known.has(entry))));
		return known;
	}

	/** Removes groups of entries, the first ones first, and those of a group in one write. */
	async remove(groups: ReadonlyArray<readonly string[]>): Promise<void> {
		let some: string[] = [];
		const write = async () => {
			if (some.length > 0) await this.helpers.removeProcessed(some, this.scope, ENTRIES);
			some = [];
		};
		for (const group of groups) {
			if (some.length + group.length > REMOVED_AT_ONCE) await write();
			some.push(...group);
		}
		await write();
	}
}

/** The last access in this process to the memory of any node. */
let lastAccess: Promise<unknown> = Promise.resolve();

/** After Stop, an access still has this long: n8n's database usually responds in milliseconds. */
const AFTER_STOP_MS = 500;

/**
 * Runs `access` after the accesses before it, and none beside it.
 *
 * @throws if the execution is stopped and the database does not respond; `access` then goes on alone
 */
export async function inTurn<T>(
	context: MemoryContext,
	access: (entries: Entries) => Promise<T>,
	scope: DeduplicationScope = 'node',
): Promise<T> {
	const entries = new Entries(context.helpers, scope);
	const work = async () => await access(entries);
	const turn = lastAccess.then(work, work);
	lastAccess = turn;
	return await unlessStopped(context, turn);
}

/** The result of work on the memory. @throws if the execution is stopped and the database does not respond */
export async function unlessStopped<T>(
	context: Pick<MemoryContext, 'getExecutionCancelSignal'>,
	work: Promise<T>,
): Promise<T> {
	const signal = context.getExecutionCancelSignal();
	let onStop = () => {};
	const stopped = new Promise<never>((_resolve, reject) => {
		const giveUp = () =>
			reject(new Error("the execution was stopped while n8n's database did not respond"));
		onStop = () => void systemTime.sleep(AFTER_STOP_MS).then(giveUp);
	});
	signal?.addEventListener('abort', onStop);
	if (signal?.aborted) onStop();
	return await Promise.race([work, stopped]).finally(() =>
		signal?.removeEventListener('abort', onStop),
	);
}
