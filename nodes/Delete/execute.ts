import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { valueOrThrow } from '../core/errors/errors';
import { sourceNamesOf } from '../core/files/sourceNames';
import { knownEditId, readEditId } from '../core/form/parameters';
import type { Form } from '../core/form/values';
import { NodeRun } from '../core/run/nodeRun';
import { Outcomes } from '../core/items/outcomes';
import { readItemForm } from '../core/items/readItemForm';
import { noteDeletion, noteNoDeletion } from '../core/skip/deletedEdits';
import { DELETE_FIELDS } from './fields';

/** An edit to delete, and the item that names it. */
interface EditToDelete {
	readonly itemIndex: number;
	readonly editId: string;
}

/** Permanently deletes the edit of each item. */
export async function deleteEdits(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context);
	const onRetry = 'It also repeats the deletions that succeeded.';
	const outcomes = new Outcomes(run, { onRetry });
	try {
		const edits = await readEdits(run, outcomes);
		// Several items may have files of the same edit.
		const deleted = new Set<string>();
		for (const edit of edits) {
			if (outcomes.isOver) break;
			await deleteItem(run, outcomes, edit, deleted);
		}
		outcomes.assertGoesOn();
		return outcomes.outputs();
	} catch (error) {
		return outcomes.ofAll(error);
	} finally {
		outcomes.show();
	}
}

async function readEdits(run: NodeRun, outcomes: Outcomes): Promise<EditToDelete[]> {
	const edits: EditToDelete[] = [];
	for await (const [itemIndex] of outcomes.itemsToRead()) {
		let form: Form | undefined;
		try {
			form = readItemForm(run, DELETE_FIELDS, [itemIndex]);
			edits.push({ itemIndex, editId: readEditId(run, form) });
		} catch (error) {
			outcomes.failed([itemIndex], error, knownEditId(run, itemIndex, form));
		}
	}
	outcomes.assertGoesOn();
	return edits;
}

async function deleteItem(
	run: NodeRun,
	outcomes: Outcomes,
	{ itemIndex, editId }: EditToDelete,
	deleted: Set<string>,
): Promise<void> {
	try {
		if (!deleted.has(editId)) await deleteEdit(run, itemIndex, editId);
		deleted.add(editId);
		const json = { deleted: true, editId, ...sourceNamesOf(run, itemIndex) };
		outcomes.done([itemIndex], [{ json }]);
	} catch (error) {
		outcomes.failed([itemIndex], error, { editId });
	}
}

async function deleteEdit(run: NodeRun, itemIndex: number, editId: string): Promise<void> {
	const { client, root } = await run.openService();
	await noteDeletion(run, root, [editId]);
	const outcome = await client.deleteEdit(editId);
	if (!outcome.ok) await noteNoDeletion(run, root, [editId]);
	valueOrThrow(outcome, run.node, { itemIndex, doing: 'delete the edit', editId });
}
