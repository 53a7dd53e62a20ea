import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { reviewUrlIn } from '../../../api/contract';
import { summarizeEdit } from '../fetch/editJson';
import { firstFields, withFirst, withInput } from './firstFields';
import { itemPerFile } from './itemFiles';
import type { FetchedResult, ResultOptions } from '../fetch/fetchResult';
import type { FinishedEdit } from '../fetch/finishedEdit';
import { filesOf, passedJson } from '../form/parameters';
import { type SourceNames, sourceNamesOf } from '../files/sourceNames';
import { readText } from '../texts';
import type { NodeRun } from '../run/nodeRun';
import type { AcceptedSubmission } from '../ledger/submissionLedger';
import type { WaitReport } from '../../../waiting/waitReport';

/** An edit that this node waits for; it may have submitted it in an earlier run. */
export interface UnfinishedEdit
	extends Pick<AcceptedSubmission, 'editId' | 'submittedAt' | 'sent' | 'skip'> {
	readonly names: SourceNames;
	/** The length of the recording in seconds, if it was read from its file. */
	readonly durationBeforeSeconds?: number;
}

/** The item of an edit that is not finished. If it comes back to this node, the wait goes on. */
export function unfinishedItem(
	run: NodeRun,
	itemIndices: readonly number[],
	unfinished: UnfinishedEdit,
	report: WaitReport,
): INodeExecutionData {
	const { history, waitedSeconds, polls } = report;
	const { editId, names, submittedAt, skip, durationBeforeSeconds } = unfinished;
	const reviewUrl = report.edit && reviewUrlIn(report.edit);
	const edit = {
		...summarizeEdit(report.edit, { before: durationBeforeSeconds }),
		status: history.at(-1)?.status ?? null,
		submittedAt,
		waitedSeconds,
		polls,
		history: history.map((change) => ({ ...change })),
		nodeId: run.node.id,
		...(skip && { skipKey: skip.key, skipRequest: skip.request }),
	};
	const first = firstFields({ editId, names, reviewUrl });
	if (run.isTool) return { json: { ...first, status: edit.status } };
	const json = withInput(first, passedJson(run, itemIndices[0]), { edit });
	return { json, ...filesOf(run, itemIndices) };
}

/** The edit that an item from {@link unfinishedItem} goes on with; undefined for any other item. */
export function unfinishedEditOf(run: NodeRun, itemIndex: number): UnfinishedEdit | undefined {
	const { editId, finished, edit } = run.items[itemIndex].json;
	const { nodeId, submittedAt, durationBeforeSeconds, skipKey, skipRequest } = (edit ??
		{}) as IDataObject;
	const key = readText(skipKey);
	// An edit of another node is this node's source, not its edit.
	const isOwn = finished === false && nodeId === run.node.id;
	if (!isOwn || run.isTool || readText(editId) === '') return undefined;
	return {
		editId: readText(editId),
		submittedAt: readText(submittedAt),
		names: sourceNamesOf(run, itemIndex),
		...(typeof durationBeforeSeconds === 'number' && { durationBeforeSeconds }),
		skip: key === '' ? undefined : { key, request: readText(skipRequest) },
	};
}

/** What an agent's model reads of an edit. */
const FOR_AGENTS = ['status', 'cutsText', 'title', 'summary', 'formats', 'links'];

/** The items of an edit that was fetched, with the json of the input item. */
export function editedItems(
	run: NodeRun,
	{ itemIndex, itemIndices, editId, names }: FinishedEdit,
	{ detail, isPerFile, keepsInputFiles, field }: ResultOptions,
	{ editedFileName, json: edit, binary, kinds }: FetchedResult,
): INodeExecutionData[] {
	const first = firstFields({ editId, names, editedFileName, isFinished: true });
	if (run.isTool) {
		// Raw or selected fields are all for the model.
		const isShort = detail === 'simplified';
		const shown = Object.entries(edit).filter(([key]) => !isShort || FOR_AGENTS.includes(key));
		return [{ json: withFirst(first, Object.fromEntries(shown) as IDataObject) }];
	}
	const json = withInput(first, passedJson(run, itemIndex), { edit });
	const item = { json, ...filesOf(run, keepsInputFiles ? itemIndices : [], binary) };
	return isPerFile ? itemPerFile(item, field, kinds) : [item];
}
