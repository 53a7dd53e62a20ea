import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WaitReport } from '../../waiting/polledEdit';
import { sourceFileOf } from '../shared/inputItem';
import { jsonOf } from '../shared/parameters';
import { readText } from '../shared/texts';
import { isToolUse } from '../shared/toolUse';

/** An edit that this node submitted before, whose time was up. */
export interface UnfinishedEdit {
	readonly editId: string;
	readonly submittedAt: string;
	readonly sourceFileName: string;
	/** The field that the recording came in. */
	readonly inputField: string;
}

/** The item of an edit that is not finished. If it comes back to this node, the wait goes on. */
export function unfinishedItem(
	context: IExecuteFunctions,
	itemIndex: number,
	unfinished: UnfinishedEdit,
	{ history, waitedSeconds, polls }: WaitReport,
): INodeExecutionData {
	const { editId, sourceFileName, submittedAt, inputField } = unfinished;
	const edit = {
		status: history.at(-1)?.status ?? null,
		submittedAt,
		waitedSeconds,
		polls,
		history: history.map((change) => ({ ...change })),
		nodeId: context.getNode().id,
		inputField,
	};
	const ids = { editId, ...(sourceFileName && { sourceFileName }), finished: false };
	if (isToolUse(context)) return { json: { ...ids, status: edit.status } };
	const { json, binary } = context.getInputData()[itemIndex];
	return { json: { ...json, ...ids, edit }, ...(binary && { binary }) };
}

/** The edit that an item from {@link unfinishedItem} goes on with; undefined for any other item. */
export function unfinishedEditOf(
	context: IExecuteFunctions,
	itemIndex: number,
): UnfinishedEdit | undefined {
	const { editId, finished, edit } = jsonOf(context, itemIndex);
	const { nodeId, submittedAt, inputField } = (edit ?? {}) as IDataObject;
	// An edit of another node is this node's source, not its edit.
	const isOwn = finished === false && nodeId === context.getNode().id;
	if (!isOwn || isToolUse(context) || readText(editId) === '') return undefined;
	return {
		editId: readText(editId),
		submittedAt: readText(submittedAt),
		sourceFileName: sourceFileOf(context, itemIndex).sourceFileName ?? '',
		inputField: readText(inputField) || 'data',
	};
}
