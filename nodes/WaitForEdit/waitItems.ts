import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPairedItemData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { pathId } from '../../api/identifiers';
import type { RequestFailure } from '../../api/failure';
import { systemTime } from '../../api/time';
import { rawEdit, summarizeEdit } from '../../formats/summaries';
import type { WaitEnd, WaitReport } from '../../waiting/polledEdit';
import { WaitLoop } from '../../waiting/waitForEdits';
import { failedDeliveryAdvice } from '../shared/deliveries';
import { PENDING_NOTE } from '../shared/editTexts';
import { addHint } from '../shared/hints';
import { asItemError, failedItem } from '../shared/failedItems';
import { filesOf, sourceFileOf } from '../shared/inputItem';
import { mayContinue, withoutPassingOn } from '../shared/items';
import { asFieldError, jsonOf } from '../shared/parameters';
import { sayGoingOn } from '../shared/progress';
import { RETRY_READS_AGAIN, withWayToResume } from '../shared/resuming';
import { openService } from '../shared/service';
import { deleteUnfinished } from './deleteUnfinished';
import { type WaitOptions, type WatchedItem, readWaitOptions } from './readWaitOptions';
import { othersInLog, stateText, waitError } from './waitError';
import { WaitProgress } from './waitProgress';

/** What a wait gives out: finished and failed items, and those that still run. */
export interface WaitedItems {
	readonly finished: readonly INodeExecutionData[];
	readonly stillRunning: readonly INodeExecutionData[];
}

/** A vanished edit may be there all the same. */
const UNFINISHED: ReadonlySet<WaitEnd> = new Set(['abandoned', 'stillRunning', 'vanished']);

/** Waits for the edits of all items in one loop and gives out one item for each. */
export async function waitItems(context: IExecuteFunctions): Promise<WaitedItems> {
	let stillRunning: readonly INodeExecutionData[] = [];
	const finished = await withoutPassingOn(context, async () => {
		const waited = await waitForAll(context);
		({ stillRunning } = waited);
		return [...waited.finished];
	});
	return { finished, stillRunning };
}

async function waitForAll(context: IExecuteFunctions): Promise<WaitedItems> {
	const order = readWaitOptions(context);
	const reports = await waitForReports(context, order);
	const isStopped = context.getExecutionCancelSignal()?.aborted ?? false;
	if (isStopped) await afterStop(context, order, reports);
	const isBad = (report: WaitReport) => !isGood(report, order);
	if (!mayContinue(context)) throwIfBad(context, order.watched, reports.filter(isBad), reports);
	const byId = new Map(reports.map((report) => [report.editId, report]));
	const finished = unreadableItems(context, order);
	const stillRunning: INodeExecutionData[] = [];
	for (const { editId, itemIndex } of order.watched) {
		const report = byId.get(editId)!;
		const item = isBad(report)
			? badItem(context, report, itemIndex)
			: goodItem(context, report, itemIndex);
		const runsOn = report.end === 'stillRunning' && order.passesOn;
		(runsOn ? stillRunning : finished).push(item);
	}
	return { finished: finished.sort(byItem), stillRunning };
}

/** Deletes the unfinished edits where that is chosen, and names those that go on at the service. */
async function afterStop(
	context: IExecuteFunctions,
	{ deletesWhenStopped }: WaitOptions,
	reports: readonly WaitReport[],
): Promise<void> {
	const unfinished = reports.filter(({ end }) => UNFINISHED.has(end));
	if (deletesWhenStopped) await deleteUnfinished(context, unfinished);
	else sayGoingOn(context, unfinished.map(stateText));
}

function unreadableItems(
	context: IExecuteFunctions,
	{ unreadable }: WaitOptions,
): INodeExecutionData[] {
	return [...unreadable].map(([itemIndex, error]) => failedItem(context, error, itemIndex));
}

function byItem(a: INodeExecutionData, b: INodeExecutionData): number {
	const indexOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as IPairedItemData).item;
	return indexOf(a) - indexOf(b);
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

async function waitForReports(
	context: IExecuteFunctions,
	order: WaitOptions,
): Promise<WaitReport[]> {
	const { client, rateLimits } = await openService(context);
	// Two items may carry the same edit; it is asked about once.
	const distinct = [...new Map(order.watched.map((edit) => [edit.editId, edit])).values()];
	const progress = new WaitProgress(context, distinct.length);
	const loop = new WaitLoop(distinct, order.rules, {
		time: systemTime,
		client,
		rateLimit: rateLimits.statusCalls,
		refusal: refusalOf,
		signal: context.getExecutionCancelSignal(),
		onStatus: ({ editId }, change) => progress.changed(editId, change),
		onPoll: (view) => progress.polled(view),
		onEndlessPending: ({ editId }, pendingSeconds) => {
			const minutes = Math.round(pendingSeconds / 60);
			const text = `PENDING for ${minutes} minutes and never seen in another status. ${PENDING_NOTE}`;
			context.logger.warn(`Audio editing: edit ${editId} is ${text}`, { editId });
			addHint(context, text, `edit ${editId}`);
		},
		endsWait: (report) => !isGood(report, order) && !context.continueOnFail(),
	});
	return await loop.run();
}

function refusalOf(editId: string): RequestFailure | undefined {
	const checked = pathId(editId);
	if (checked.ok) return undefined;
	const said = `'Edit ID' cannot be used: ${checked.reason}. Connect Create Edit before this node, or enter an ID`;
	return { kind: 'invalid', request: 'GET /v2/edits/{edit_id}', said };
}

function isGood({ end }: WaitReport, { passesOn }: WaitOptions): boolean {
	return end === 'succeeded' || (end === 'stillRunning' && passesOn);
}

/** Ends the node with the error of the edit that ended the wait; the others are named in it. */
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
	const error = errorOf(context, culprit, itemIndex, others);
	throw withWayToResume(context, error, RETRY_READS_AGAIN);
}

function errorOf(
	context: IExecuteFunctions,
	report: WaitReport,
	itemIndex: number,
	others: readonly WaitReport[],
): NodeApiError | NodeOperationError {
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
	return failedItem(context, error, itemIndex, { editId: report.editId, ...progressOf(report) });
}

function goodJson(context: IExecuteFunctions, report: WaitReport, itemIndex: number): IDataObject {
	const { edit, editId, end } = report;
	const isSimple = context.getNodeParameter('simplify', itemIndex, true) as boolean;
	const full = edit === undefined ? {} : rawEdit(edit, editId);
	const json = isSimple && edit !== undefined ? summaryOf(summarizeEdit(edit, editId)) : full;
	// A loop comes back with this item; the first poll is still counted from the submission then.
	const { submittedAt } = jsonOf(context, itemIndex);
	const isFinished = end === 'succeeded';
	return {
		editId,
		...sourceFileOf(context, itemIndex),
		...json,
		finished: isFinished,
		...(!isFinished && submittedAt !== undefined && { submittedAt }),
		...progressOf(report),
	};
}

/** The long texts of the summary are for Get Result; here the way there matters. */
function summaryOf({
	editId,
	status,
	fileName,
	downloadUrl,
	statistics,
}: IDataObject): IDataObject {
	return { editId, status, fileName, downloadUrl, statistics };
}

function progressOf({ history, waitedSeconds, polls }: WaitReport): IDataObject {
	const status = history.at(-1)?.status;
	return {
		...(status && { status }),
		waitedSeconds,
		polls,
		history: history.map((change) => ({ ...change })),
	};
}
