import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { handleEachItem, knownEditId } from '../shared/items';
import { readEditId } from '../shared/parameters';
import { openService, valueOrThrow } from '../shared/service';
import { sourceFileOf } from '../shared/inputItem';

/** Deletes the edits of all items for good. */
export async function deleteEdits(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const handle = async (itemIndex: number) => await deleteItem(context, itemIndex);
	const known = (itemIndex: number) => knownEditId(context, itemIndex);
	const onRetry = 'It also asks again to delete what is deleted already.';
	return await handleEachItem(context, handle, { known, onRetry });
}

/** Deletes the edit of one item for good. */
async function deleteItem(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const editId = readEditId(context, itemIndex);
	const { client } = await openService(context);
	const doing = `delete edit ${editId}`;
	valueOrThrow(await client.deleteEdit(editId), context.getNode(), { itemIndex, doing });
	return { json: { deleted: true, editId, ...sourceFileOf(context, itemIndex) } };
}
