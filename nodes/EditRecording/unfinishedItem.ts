import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WaitReport } from '../../waiting/polledEdit';
import type { AcceptedSubmission } from '../CreateEdit/submissionLedger';
import { passedJson, sourceFileOf } from '../shared/inputItem';
import { jsonOf } from '../shared/parameters';
import { readText } from '../shared/texts';
import { isToolUse } from '../shared/toolUse';

/** An edit that this node waits for; it may have submitted it in an earlier run. */
export interface UnfinishedEdit
	extends Pick<AcceptedSubmission, 'editId' | 'submittedAt' | 'sent' | 'skipKey'> {
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
	const { editId, sourceFileName, submittedAt, inputField, skipKey } = unfinished;
	const edit = {
		status: history.at(-1)?.status ?? null,
		submittedAt,
		waitedSeconds,
		polls,
		history: history.map((change) => ({ ...change })),
		nodeId: context.getNode().id,
		inputField,
		...(skipKey !== undefined && { skipKey }),
	};
	const ids = { editId, ...(sourceFileName && { sourceFileName }), finished: false };
	if (isToolUse(context)) return { json: { ...ids, status: edit.status } };
	const { binary } = context.getInputData()[itemIndex];
	const json = { ...passedJson(context, itemIndex), ...ids, edit };
	return { json, ...(binary && { binary }) };
}

/** The edit that an item from {@link unfinishedItem} goes on with; undefined for any other item. */
export function unfinishedEditOf(
	context: IExecuteFunctions,
	itemIndex: number,
): UnfinishedEdit | undefined {
	const { editId, finished, edit } = jsonOf(context, itemIndex);
	const { nodeId, submittedAt, inputField, skipKey } = (edit ?? {}) as IDataObject;
	// An edit of another node is this node's source, not its edit.
	const isOwn = finished === false && nodeId === context.getNode().id;
	if (!isOwn || isToolUse(context) || readText(editId) === '') return undefined;
	return {
		editId: readText(editId),
		submittedAt: readText(submittedAt),
		sourceFileName: sourceFileOf(context, itemIndex).sourceFileName ?? '',
		inputField: readText(inputField) || 'data',
		skipKey: readText(skipKey) || undefined,
	};
}
