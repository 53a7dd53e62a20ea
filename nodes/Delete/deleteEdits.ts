import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sourceFileOf } from '../shared/inputItem';
import { handleEachItem, knownEditId } from '../shared/items';
import { readEditId } from '../shared/parameters';
import { openService, valueOrThrow } from '../shared/service';

/** Deletes the edits of all items for good. */
export async function deleteEdits(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const deleted = new Set<string>();
	const handle = async (itemIndex: number) => await deleteItem(context, itemIndex, deleted);
	const known = (itemIndex: number) => knownEditId(context, itemIndex);
	const onRetry = 'It also repeats the deletions that succeeded.';
	return await handleEachItem(context, handle, { known, onRetry });
}

/** Permanently deletes the edit of one item, once: several items may hold files of the same edit. */
async function deleteItem(
	context: IExecuteFunctions,
	itemIndex: number,
	deleted: Set<string>,
): Promise<INodeExecutionData> {
	const editId = readEditId(context, itemIndex);
	const item = { json: { deleted: true, editId, ...sourceFileOf(context, itemIndex) } };
	if (deleted.has(editId)) return item;
	const { client } = await openService(context);
	const doing = `delete edit ${editId}`;
	valueOrThrow(await client.deleteEdit(editId), context.getNode(), { itemIndex, doing });
	deleted.add(editId);
	return item;
}
