import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { WaitReport } from '../../waiting/waitReport';
import type { AcceptedSubmission } from '../shared/run/submissionLedger';
import { passedJson, sourceFileOf } from '../shared/form/inputItem';
import { jsonOf } from '../shared/form/parameters';
import { readText } from '../shared/form/texts';
import type { NodeRun } from '../shared/run/nodeRun';

/** An edit that this node waits for; it may have submitted it in an earlier run. */
export interface UnfinishedEdit
	extends Pick<AcceptedSubmission, 'editId' | 'submittedAt' | 'sent' | 'skipKey'> {
	readonly sourceFileName: string;
	/** The field that the recording came in. */
	readonly inputField: string;
}

/** The item of an edit that is not finished. If it comes back to this node, the wait goes on. */
export function unfinishedItem(
	run: NodeRun,
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
		nodeId: run.node.id,
		inputField,
		...(skipKey !== undefined && { skipKey }),
	};
	const ids = { editId, ...(sourceFileName && { sourceFileName }), finished: false };
	if (run.isTool) return { json: { ...ids, status: edit.status } };
	const { binary } = run.items[itemIndex];
	const json = { ...passedJson(run, itemIndex), ...ids, edit };
	return { json, ...(binary && { binary }) };
}

/** The edit that an item from {@link unfinishedItem} goes on with; undefined for any other item. */
export function unfinishedEditOf(run: NodeRun, itemIndex: number): UnfinishedEdit | undefined {
	const { editId, finished, edit } = jsonOf(run, itemIndex);
	const { nodeId, submittedAt, inputField, skipKey } = (edit ?? {}) as IDataObject;
	// An edit of another node is this node's source, not its edit.
	const isOwn = finished === false && nodeId === run.node.id;
	if (!isOwn || run.isTool || readText(editId) === '') return undefined;
	return {
		editId: readText(editId),
		submittedAt: readText(submittedAt),
		sourceFileName: sourceFileOf(run, itemIndex).sourceFileName ?? '',
		inputField: readText(inputField) || 'data',
		skipKey: readText(skipKey) || undefined,
	};
}
