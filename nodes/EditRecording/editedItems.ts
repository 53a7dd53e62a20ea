import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type FinishedEdit, type ResultOptions, fetchResult } from '../GetResult/fetchResult';
import { itemPerFile } from '../GetResult/itemFiles';
import { toNodeError } from '../shared/errors';
import { addHint } from '../shared/hints';
import { filesOf } from '../shared/inputItem';
import { openService } from '../shared/service';
import { isToolUse } from '../shared/toolUse';

/** A finished edit and the recording it is of. */
export interface FinishedRecording extends FinishedEdit {
	readonly sourceFileName: string;
}

/** What an agent's model reads of an edit. */
const FOR_AGENTS = ['status', 'fileName', 'edits', 'title', 'summary', 'formats', 'links'];

/**
 * Fetches the files of a finished edit, and then deletes it at the service if the user chose that.
 * Returns the item with the files, beside what the input item had in its json.
 *
 * @throws NodeApiError or NodeOperationError if a file is missing or cannot be fetched
 */
export async function editedItems(
	context: IExecuteFunctions,
	finished: FinishedRecording,
	options: ResultOptions,
	deletesWhenFetched: boolean,
): Promise<INodeExecutionData[]> {
	const { itemIndex, editId, sourceFileName } = finished;
	const { json: edit, binary, kinds } = await fetchResult(context, finished, options);
	const ids = { editId, ...(sourceFileName && { sourceFileName }), finished: true };
	if (isToolUse(context)) {
		const told = Object.entries(edit).filter(([key]) => FOR_AGENTS.includes(key));
		return [{ json: { ...ids, ...(Object.fromEntries(told) as IDataObject) } }];
	}
	const deleted = deletesWhenFetched && { deleted: await deleteFetched(context, finished) };
	const input = context.getInputData()[itemIndex].json;
	const json = { ...input, ...ids, edit: { ...edit, ...deleted } };
	const item = { json, ...filesOf(context, [itemIndex], binary) };
	if (!options.isPerFile) return [item];
	return itemPerFile(item, options.field, (field) => kinds[field] ?? 'input');
}

/** Deletes an edit whose files are in n8n. If that fails, the item must not: its files would be lost. */
async function deleteFetched(
	context: IExecuteFunctions,
	{ itemIndex, editId }: FinishedEdit,
): Promise<boolean> {
	const { client } = await openService(context);
	const result = await client.deleteEdit(editId);
	if (result.ok) return true;
	const { message } = toNodeError(context.getNode(), result.failure, {
		itemIndex,
		doing: `delete edit ${editId}`,
	});
	addHint(context, `${message}. Its files are in n8n; the service deletes it after 7 days.`);
	return false;
}
