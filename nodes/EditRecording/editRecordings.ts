import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WaitReport } from '../../waiting/polledEdit';
import { ledgerOf } from '../CreateEdit/submissionLedger';
import { acceptedNote } from '../CreateEdit/submitEdit';
import type { ResultOptions } from '../GetResult/fetchResult';
import { waitError } from '../WaitForEdit/waitError';
import { failedDeliveryAdvice } from '../shared/deliveries';
import type { NodeWork } from '../shared/runNode';
import { forgetEdited, skippedItem } from '../shared/skipEdited';
import { isToolUse } from '../shared/toolUse';
import { type SkippedRecording, createEdit } from './createEdit';
import { isFetched } from './deleteFetched';
import { type FinishedRecording, editedItems } from './editedItems';
import { mayHaveResult, withEditKept } from './keptEdit';
import { type RecordingForm, readRecording } from './readRecording';
import { type RecordingRun, begunRunOf, recordingRunOf } from './recordingRun';
import { progressOf } from './recordingsProgress';
import { type UnfinishedEdit, unfinishedItem } from './unfinishedItem';

/** Edits the recordings of all items at once, each from its file to its edited file. */
export const EDIT_RECORDING_WORK: NodeWork<RecordingForm> = {
	read: readRecording,
	handle: editRecording,
	known: knownOf,
	failed,
	// Each recording moves on as soon as it can; the run limits transfers and requests.
	atOnce: (context) => context.getInputData().length,
	// n8n stores the ledger with the execution, so a retry finds it.
	onRetry:
		'Uploaded files are not sent again, and created edits are not charged again, unless you change the file or the options of the edit.',
	endingNote,
	outputCount: (context) =>
		1 + Number(handsOver(context)) + Number(context.getNodeParameter('skipEdited', 0) !== 'off'),
	finish: async (context) => await begunRunOf(context)?.finish(),
};

/** What is known of an item that failed: the name of its recording, and its edit. */
function knownOf(context: IExecuteFunctions, itemIndex: number, form?: RecordingForm): IDataObject {
	const sourceFileName = form?.recording.sourceFileName;
	return { ...(sourceFileName && { sourceFileName }), ...begunRunOf(context)?.knownOf(itemIndex) };
}

/** Names the edits that were charged before an item's error ends the node, those of earlier rounds of a loop too. */
function endingNote(context: IExecuteFunctions, itemIndex: number): string {
	const accepted = ledgerOf(context).acceptedEditIds();
	const others = begunRunOf(context)?.editIdsExcept(itemIndex) ?? [];
	const earlier = others.filter((editId) => !accepted.includes(editId));
	return acceptedNote(context, itemIndex, earlier);
}

function failed(context: IExecuteFunctions, [itemIndex]: readonly number[]): void {
	progressOf(context).moved(itemIndex, 'failed');
}

/** Takes a recording from its source to its edited file, or goes on with its unfinished edit. */
async function editRecording(
	context: IExecuteFunctions,
	form: RecordingForm,
): Promise<INodeExecutionData[][]> {
	const run = recordingRunOf(context);
	return await run.orEnd(async () => await goThrough(context, run, form));
}

async function goThrough(
	context: IExecuteFunctions,
	run: RecordingRun,
	{ itemIndex, recording, result, whenTimeIsUp, deletesWhenFetched }: RecordingForm,
): Promise<INodeExecutionData[][]> {
	const { sourceFileName, inputField } = recording;
	const created =
		'editId' in recording ? recording : await createEdit(context, run, itemIndex, recording);
	if ('skippedBy' in created) {
		run.progress.moved(itemIndex, 'skipped');
		return skipped(context, itemIndex, created, sourceFileName);
	}
	const report = await run.wait(itemIndex, created);
	const edit = { ...created, sourceFileName, inputField };
	if (report.end === 'stillRunning' && whenTimeIsUp !== 'fail') {
		run.progress.moved(itemIndex, 'stillRunning');
		const item = unfinishedItem(context, itemIndex, edit, report);
		// An agent's model reads the first output only.
		const isSecond = handsOver(context) && !isToolUse(context);
		return isSecond ? [[], [item]] : [[item]];
	}
	const finished = await succeeded(context, itemIndex, edit, report);
	const items = await fetchItems(context, run, finished, result);
	run.progress.moved(itemIndex, 'edited');
	// An agent gets links instead of files, so its edit stays.
	const mayDelete = deletesWhenFetched && !isToolUse(context);
	if (mayDelete && isFetched(context, finished, { items, kinds: result.downloads })) {
		run.deleteLater(finished.editId);
	}
	return [items];
}

/** Fetches the files of a finished edit when their turn comes. */
async function fetchItems(
	context: IExecuteFunctions,
	run: RecordingRun,
	finished: FinishedRecording,
	result: ResultOptions,
): Promise<INodeExecutionData[]> {
	const { itemIndex, editId } = finished;
	try {
		const fetch = async () => await editedItems(context, finished, result);
		return await run.download(itemIndex, fetch);
	} catch (error) {
		run.keep(editId);
		throw withEditKept(context, itemIndex, editId, error);
	}
}

/** The edit of a recording whose wait has ended. @throws the error of an edit that did not succeed */
async function succeeded(
	context: IExecuteFunctions,
	itemIndex: number,
	{ editId, sent, skipKey, sourceFileName }: UnfinishedEdit,
	report: WaitReport,
): Promise<FinishedRecording> {
	const { end, edit } = report;
	if (end === 'succeeded' && edit !== undefined) return { itemIndex, editId, edit, sourceFileName };
	if (end === 'failed' && skipKey !== undefined) await forgetEdited(context, { key: skipKey });
	const advice = failedDeliveryAdvice({ json: sent });
	const error = waitError(context.getNode(), report, itemIndex, [], advice);
	throw mayHaveResult(end) ? withEditKept(context, itemIndex, editId, error) : error;
}

/** The outputs for a skipped recording; its output comes after that of unfinished edits. */
function skipped(
	context: IExecuteFunctions,
	itemIndex: number,
	{ skippedBy }: SkippedRecording,
	sourceFileName: string,
): INodeExecutionData[][] {
	const { json, binary } = context.getInputData()[itemIndex];
	const isTool = isToolUse(context);
	const about = { ...(isTool ? {} : json), ...(sourceFileName && { sourceFileName }) };
	const item = skippedItem(skippedBy, about, binary && !isTool ? { binary } : {});
	// An agent's model reads the first output only.
	if (isTool) return [[item]];
	return handsOver(context) ? [[], [], [item]] : [[], [item]];
}

/** Whether unfinished edits have their own output. */
function handsOver(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('whenTimeIsUp', 0, '') === 'secondOutput';
}
