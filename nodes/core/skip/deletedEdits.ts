import { sanitizeText } from '../../../api/sanitizeText';
import { type Entries, canRemember, inTurn } from './memory/nodeMemory';
import { entriesOfState, readStates } from './memory/states';
import type { NodeRun } from '../run/nodeRun';
import { hashOf } from '../ledger/identity';

/*
 * Which edits we have deleted although a node may still hold them as not output. The service reports a deleted
 * edit as PENDING, so an execution would wait for it. A node that deletes has no access to the memory of the
 * node that submitted; both have access to the workflow's.
 *
 * A node still holds the edits of a manual execution, and those of a stopped one. Nothing is stored of all the
 * others that workflows delete.
 */

/** The service is part of it: an ID may be any text. */
const deletedName = (root: string, editId: string) => `deleted:${hashOf([root, editId])}`;

/** Notes that edits are about to be deleted, if a node may still hold them. Never throws. */
export async function noteDeletion(
	run: NodeRun,
	root: string,
	editIds: readonly string[],
): Promise<void> {
	const noted = editIds.flatMap((editId) => entriesOfState(deletedName(root, editId), 1));
	await changeInWorkflow(run, { recorded: noted });
}

/** Takes that back for edits that could not be deleted. Never throws. */
export async function noteNoDeletion(
	run: NodeRun,
	root: string,
	editIds: readonly string[],
): Promise<void> {
	const noted = editIds.map((editId) => entriesOfState(deletedName(root, editId), 1));
	if (noted.length > 0) await changeInWorkflow(run, { removed: noted });
}

/** Whether we have deleted an edit that a node still holds. Never throws. */
export async function wasDeleted(
	{ context }: NodeRun,
	root: string,
	editId: string,
): Promise<boolean> {
	const ask = async (entries: Entries) => await readStates(entries, [deletedName(root, editId)]);
	try {
		const [{ isFirst, isSecond }] = await inTurn(context, ask, 'workflow');
		return isFirst && !isSecond;
	} catch {
		// Another node may store dates there; the edit is then waited for.
		return false;
	}
}

async function changeInWorkflow(
	run: NodeRun,
	{ recorded = [], removed = [] }: { recorded?: string[]; removed?: string[][] },
): Promise<void> {
	const { context } = run;
	const mayBeHeld = context.getMode() === 'manual' || run.isStopped;
	if (!mayBeHeld || !canRemember(context)) return;
	try {
		const change = async (entries: Entries) => {
			await entries.record(recorded);
			await entries.remove(removed);
		};
		await inTurn(context, change, 'workflow');
	} catch (error) {
		const reason = sanitizeText(String(error));
		context.logger.warn(
			`Audio editing: the next execution may wait for edits that are deleted, because n8n could not store that: ${reason}`,
		);
	}
}
