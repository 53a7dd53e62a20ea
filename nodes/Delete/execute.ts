import { valueOrThrow } from '../core/errors/errors';
import { knownEditId, readEditId } from '../core/form/parameters';
import { sourceNamesOf } from '../core/files/sourceNames';
import type { NodeWork } from '../core/run/runNode';
import type { NodeRun } from '../core/run/nodeRun';
import { noteDeletion, noteNoDeletion } from '../core/skip/deletedEdits';

interface EditToDelete {
	readonly itemIndex: number;
	readonly editId: string;
}

/** Permanently deletes the edit of each item. */
export function deleteWork(run: NodeRun): NodeWork<EditToDelete> {
	// Several items may have files of the same edit.
	const deleted = new Set<string>();
	return {
		read: ([itemIndex]) => ({ itemIndex, editId: readEditId(run, itemIndex) }),
		handle: (edit) => deleteEdit(run, edit, deleted),
		known: (itemIndex) => knownEditId(run, itemIndex),
		onRetry: 'It also repeats the deletions that succeeded.',
	};
}

async function deleteEdit(run: NodeRun, { itemIndex, editId }: EditToDelete, deleted: Set<string>) {
	if (!deleted.has(editId)) {
		const { client, root } = await run.openService();
		const context = { itemIndex, doing: 'delete the edit', editId };
		await noteDeletion(run, root, [editId]);
		const outcome = await client.deleteEdit(editId);
		if (!outcome.ok) await noteNoDeletion(run, root, [editId]);
		valueOrThrow(outcome, run.node, context);
		deleted.add(editId);
	}
	return [[{ json: { deleted: true, editId, ...sourceNamesOf(run, itemIndex) } }]];
}
