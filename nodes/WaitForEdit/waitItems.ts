import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import { summarizeEdit } from '../../formats/editSummary';
import { DEFAULT_POLL_RULES, POLL_INTERVAL_FLOOR_MS, type PollRules } from '../../waiting/schedule';
import { waitForEdits } from '../../waiting/waitForEdits';
import type { WaitReport, WatchedEdit } from '../../waiting/watch';
import { failedItem } from '../shared/items';
import { openService } from '../shared/service';
import { waitError } from './waitError';

/** Waits for the edits of all items in one loop and gives out one item for each. */
export async function waitItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const watched = context.getInputData().map((item, index) => readWatched(context, item, index));
	if (watched.length === 0) return [];
	const { client, budgets } = await openService(context);
	// Two items may carry the same edit; it is asked about once.
	const distinct = [...new Map(watched.map((edit) => [edit.editId, edit])).values()];
	const passesOn = context.getNodeParameter('whenTimeIsUp', 0) === 'passOn';
	const isBad = (report: WaitReport) => outcomeOf(report, passesOn) === 'bad';
	const reports = await waitForEdits(distinct, readRules(context), {
		time: systemTime,
		getEdit: async (editId) => await client.getEditOnce(editId),
		budget: budgets.statusCalls,
		signal: context.getExecutionCancelSignal(),
		onStatus: ({ editId }, { status, atSeconds }) =>
			context.logger.info(`Audio editing: edit ${editId} ${status} after ${atSeconds} s`, {
				editId,
				status,
				atSeconds,
			}),
		endsWait: (report) => isBad(report) && !context.continueOnFail(),
	});
	const byId = new Map(reports.map((report) => [report.editId, report]));
	const mayGoOn = context.continueOnFail() && !context.getExecutionCancelSignal()?.aborted;
	if (!mayGoOn) throwIfBad(context, watched, reports.filter(isBad), reports);
	return watched.map(({ editId }, itemIndex) => {
		const report = byId.get(editId)!;
		if (!isBad(report)) {
			return { json: goodJson(context, report, itemIndex), pairedItem: { item: itemIndex } };
		}
		const error = waitError(context.getNode(), report, itemIndex, []);
		return failedItem(error, itemIndex, { editId, ...progressOf(report) });
	});
}

/** Ends the node with the error of the edit that ended the wait; the others are named in it. */
function throwIfBad(
	context: IExecuteFunctions,
	watched: readonly WatchedEdit[],
	bad: readonly WaitReport[],
	all: readonly WaitReport[],
): void {
	const culprit = bad.find(({ end }) => end !== 'abandoned') ?? bad[0];
	if (culprit === undefined) return;
	const itemIndex = watched.findIndex(({ editId }) => editId === culprit.editId);
	const others = all.filter((report) => report !== culprit);
	throw waitError(context.getNode(), culprit, itemIndex, others);
}

function readWatched(
	context: IExecuteFunctions,
	{ json }: INodeExecutionData,
	itemIndex: number,
): WatchedEdit {
	const editId = String(context.getNodeParameter('editId', itemIndex, '') ?? '').trim();
	const submittedAtMs = Date.parse(String(json.submittedAt ?? ''));
	return Number.isNaN(submittedAtMs) ? { editId } : { editId, submittedAtMs };
}

function readRules(context: IExecuteFunctions): PollRules {
	const minutes = context.getNodeParameter('maximumWaitMinutes', 0) as number;
	const options = context.getNodeParameter('options', 0, {}) as {
		firstPollDelaySeconds?: number;
		pollIntervalSeconds?: number;
	};
	const { firstPollDelaySeconds: first, pollIntervalSeconds: interval } = options;
	return {
		maximumWaitMs: Math.max(0, minutes) * 60_000,
		firstPollDelayMs:
			first === undefined ? DEFAULT_POLL_RULES.firstPollDelayMs : Math.max(0, first) * 1_000,
		pollIntervalMs:
			interval === undefined
				? DEFAULT_POLL_RULES.pollIntervalMs
				: Math.max(interval * 1_000, POLL_INTERVAL_FLOOR_MS),
	};
}

function outcomeOf({ end }: WaitReport, passesOn: boolean): 'good' | 'bad' {
	return end === 'succeeded' || (end === 'stillRunning' && passesOn) ? 'good' : 'bad';
}

function goodJson(context: IExecuteFunctions, report: WaitReport, itemIndex: number): IDataObject {
	const { edit, editId, end } = report;
	const isSimple = context.getNodeParameter('simplify', itemIndex) as boolean;
	const full = edit === undefined ? {} : ({ ...edit } as IDataObject);
	const json = isSimple && edit !== undefined ? summaryOf(summarizeEdit(edit, editId)) : full;
	return { editId, ...json, finished: end === 'succeeded', ...progressOf(report) };
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
