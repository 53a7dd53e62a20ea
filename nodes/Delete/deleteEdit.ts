import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { valueOrThrow } from '../shared/errors';
import { sourceFileOf } from '../shared/inputItem';
import { knownEditId, readEditId } from '../shared/parameters';
import type { NodeWork } from '../shared/runNode';
import { openService } from '../shared/service';

interface EditToDelete {
	readonly itemIndex: number;
	readonly editId: string;
}

/** Permanently deletes the edit of each item. */
export const DELETE_WORK: NodeWork<EditToDelete> = {
	read: (context, [itemIndex]) => ({ itemIndex, editId: readEditId(context, itemIndex) }),
	handle: deleteEdit,
	known: knownEditId,
	onRetry: 'It also repeats the deletions that succeeded.',
};

/** The edits that each node run has deleted: several items may have files of the same edit. */
const deletedBy = new WeakMap<IExecuteFunctions, Set<string>>();

async function deleteEdit(
	context: IExecuteFunctions,
	{ itemIndex, editId }: EditToDelete,
): Promise<INodeExecutionData[][]> {
	const deleted = deletedBy.get(context) ?? new Set();
	deletedBy.set(context, deleted);
	if (!deleted.has(editId)) {
		const { client } = await openService(context);
		const doing = `delete edit ${editId}`;
		valueOrThrow(await client.deleteEdit(editId), context.getNode(), { itemIndex, doing });
		deleted.add(editId);
	}
	return [[{ json: { deleted: true, editId, ...sourceFileOf(context, itemIndex) } }]];
}
