import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { RequestFailure } from '../../api/failure';
import { pathId } from '../../api/identifiers';
import { describeEdit } from '../../formats/summaries';
import type { WaitEnd, WaitReport } from '../../waiting/polledEdit';
import { WaitLoop, type WaitTools } from '../../waiting/waitForEdits';
import { readDetail } from '../GetResult/readKinds';
import { failedDeliveryAdvice } from '../shared/deliveries';
import type { NodeError } from '../shared/errors';
import { asItemError, failedItem, mayContinue, withWayToResume } from '../shared/failedItems';
import { filesOf, sourceFileOf } from '../shared/inputItem';
import { asFieldError, jsonOf } from '../shared/parameters';
import { sayGoingOn } from '../shared/progress';
import type { NodeWork } from '../shared/runNode';
import { type Service, openService } from '../shared/service';
import { waitingBaseOf } from '../shared/waitingBase';
import { deleteUnfinished } from './deleteUnfinished';
import { parkExecution } from './park';
import { type WaitOptions, type WatchedItem, readWaitOptions } from './readWaitOptions';
import { othersInLog, stateText, waitError } from './waitError';
import { WaitProgress } from './waitProgress';
import { waitToolsOf } from './waitTools';
import { type WaitMode, readMode } from './whileWaiting';

/** Waits for the edits of all items in one loop, or parks the execution. */
export const WAIT_WORK: NodeWork<WaitMode> = {
	groups: 'whole',
	read: readMode,
	handle: waitItems,
	outputCount: (context) =>
		context.getNodeParameter('whileWaiting', 0, '') === 'handOver' ? 2 : 1,
};

/** A vanished edit may still be at the service. */
const UNFINISHED: ReadonlySet<WaitEnd> = new Set(['abandoned', 'stillRunning', 'vanished']);

async function waitItems(
	context: IExecuteFunctions,
	mode: WaitMode,
): Promise<INodeExecutionData[][]> {
	if (mode === 'park') return [await parkExecution(context)];
	const options = await readWaitOptions(context);
	const { watched, rules } = options;
	// Two items may carry the same edit; we poll it once.
	const distinct = [...new Map(watched.map((edit) => [edit.editId, edit])).values()];
	const tools = toolsFor(context, options, await openService(context), distinct.length);
	const reports = await new WaitLoop(distinct, rules, tools).run();
	if (context.getExecutionCancelSignal()?.aborted) await afterStop(context, options, reports);
	const isBad = (report: WaitReport) => !isGood(report, options);
	if (!mayContinue(context)) throwIfBad(context, watched, reports.filter(isBad), reports);
	const byId = new Map(reports.map((report) => [report.editId, report]));
	const idOf = new Map(watched.map((edit) => [edit.itemIndex, edit.editId]));
	const finished: INodeExecutionData[] = [];
	const stillRunning: INodeExecutionData[] = [];
	context.getInputData().forEach((_item, itemIndex) => {
		const unreadable = options.unreadable.get(itemIndex);
		if (unreadable !== undefined) {
			finished.push(failedItem(context, unreadable, itemIndex));
			return;
		}
		const report = byId.get(idOf.get(itemIndex)!)!;
		const item = isBad(report)
			? badItem(context, report, itemIndex)
			: goodItem(context, report, itemIndex);
		const runsOn = report.end === 'stillRunning' && options.passesOn;
		(runsOn ? stillRunning : finished).push(item);
	});
	return mode === 'handOver' ? [finished, stillRunning] : [[...finished, ...stillRunning]];
}

/** After Stop, deletes the unfinished edits if the user chose that; otherwise names them. */
async function afterStop(
	context: IExecuteFunctions,
	{ deletesWhenStopped }: WaitOptions,
	reports: readonly WaitReport[],
): Promise<void> {
	const unfinished = reports.filter(({ end }) => UNFINISHED.has(end));
	const editIds = unfinished.map(({ editId }) => editId);
	if (deletesWhenStopped) await deleteUnfinished(context, editIds);
	else sayGoingOn(context, unfinished.map(stateText));
}

function goodItem(
	context: IExecuteFunctions,
	report: WaitReport,
	itemIndex: number,
): INodeExecutionData {
	try {
		const json = goodJson(context, report, itemIndex);
		return { json, ...filesOf(context, [itemIndex]), pairedItem: { item: itemIndex } };
	} catch (error) {
		const nodeError = asItemError(context, error, itemIndex);
		if (!mayContinue(context)) throw nodeError;
		return failedItem(context, nodeError, itemIndex, { editId: report.editId });
	}
}

/** What the waiting loop uses. */
function toolsFor(
	context: IExecuteFunctions,
	options: WaitOptions,
	service: Service,
	editCount: number,
): WaitTools {
	const progress = new WaitProgress(context, editCount);
	return {
		...waitToolsOf(context, service),
		refusal: refusalOf,
		onStatus: ({ editId }, change) => progress.changed(editId, change),
		onPoll: (view) => progress.polled(view),
		endsWait: (report) => !isGood(report, options) && !context.continueOnFail(),
	};
}

function refusalOf(editId: string): RequestFailure | undefined {
	const checked = pathId(editId);
	if (checked.ok) return undefined;
	const said = `'Edit ID' ${checked.reason}. Connect Create Edit before this node, or enter an ID`;
	return { kind: 'invalid', request: 'GET /v2/edits/{edit_id}', said, isEntered: true };
}

function isGood({ end }: WaitReport, { passesOn }: WaitOptions): boolean {
	return end === 'succeeded' || (end === 'stillRunning' && passesOn);
}

/** Throws the error of the edit that ended the wait; it names the other edits. */
function throwIfBad(
	context: IExecuteFunctions,
	watched: readonly WatchedItem[],
	bad: readonly WaitReport[],
	all: readonly WaitReport[],
): void {
	const culprit = bad.find(({ end }) => end !== 'abandoned') ?? bad[0];
	if (culprit === undefined) return;
	const itemIndex = watched.find(({ editId }) => editId === culprit.editId)?.itemIndex ?? 0;
	const others = all.filter((report) => report !== culprit);
	const isStopped = context.getExecutionCancelSignal()?.aborted ?? false;
	if (!isStopped) for (const line of othersInLog(others)) context.logger.warn(line);
	throw withWayToResume(context, errorOf(context, culprit, itemIndex, others));
}

function errorOf(
	context: IExecuteFunctions,
	report: WaitReport,
	itemIndex: number,
	others: readonly WaitReport[],
): NodeError {
	const advice = failedDeliveryAdvice(context.getInputData()[itemIndex]);
	const error = waitError(context.getNode(), report, itemIndex, others, advice);
	if (report.failure?.kind === 'invalid') asFieldError(error);
	return asItemError(context, error, itemIndex);
}

function badItem(
	context: IExecuteFunctions,
	report: WaitReport,
	itemIndex: number,
): INodeExecutionData {
	const error = errorOf(context, report, itemIndex, []);
	const { editId, edit } = report;
	const reason = edit?.failureReason;
	const known = { editId, ...(reason && { failureReason: reason }), ...progressOf(report) };
	return failedItem(context, error, itemIndex, known);
}

function goodJson(context: IExecuteFunctions, report: WaitReport, itemIndex: number): IDataObject {
	const { edit, editId, end } = report;
	const detail = readDetail(context, itemIndex);
	const described = edit && describeEdit(edit, editId, detail, waitingBaseOf(context));
	const json = described && detail === 'simplified' ? shortSummary(described) : described;
	// In a loop, the item comes back, and its first poll still counts from the submission.
	const { submittedAt } = jsonOf(context, itemIndex);
	const isFinished = end === 'succeeded';
	return {
		editId,
		...json,
		...sourceFileOf(context, itemIndex),
		finished: isFinished,
		...(!isFinished && submittedAt !== undefined && { submittedAt }),
		...progressOf(report),
	};
}

/** The summary without its long texts, which Get Result returns. */
function shortSummary(edit: IDataObject): IDataObject {
	const { editId, status, fileName, downloadUrl, statistics } = edit;
	return { editId, status, fileName, downloadUrl, statistics };
}

function progressOf({ history, waitedSeconds, polls }: WaitReport): IDataObject {
	const status = history.at(-1)?.status;
	return {
		...(status && { status }),
		waitedSeconds,
		polls,
		history: history.map((change) => ({ ...change }) as IDataObject),
	};
}
