import type { INodeExecutionData } from 'n8n-workflow';

import type { WaitReport } from '../../waiting/waitReport';
import { type NodeError, failureJson } from '../core/errors/errors';
import { failedEditFacts } from '../core/fetch/failedEdit';
import { asItemError } from '../core/items/failedItems';
import { type UnfinishedEdit, unfinishedItem } from '../core/output/editedItems';
import { firstFields, withInput } from '../core/output/firstFields';
import { filesOf } from '../core/form/parameters';
import type { NodeRun } from '../core/run/nodeRun';
import { CODE_WORDS, type Skipped, skippedItem } from '../core/skip/skippedItem';
import { waitError } from '../core/wait/waitError';
import type { Batch } from './batch';
import { type NewRecording, type RecordingRequest } from './request';

/** The item of a recording that is not edited in this execution. */
export function skippedItemOf(
	run: NodeRun,
	{ itemIndex, itemIndices, recording }: RecordingRequest,
	why: Skipped,
): INodeExecutionData {
	const { items, isTool } = run;
	const { json } = items[itemIndex];
	run.progress?.moved(itemIndex, 'skipped');
	run.summary?.skipped(itemIndex, CODE_WORDS[why.code]);
	const { names } = recording;
	// A model calls the tool again if 'finished' is false.
	if (isTool) return skippedItem(why, { ...names }, {});
	const about = withInput(firstFields({ editId: why.editId, names }), json, {});
	return skippedItem(why, about, filesOf(run, itemIndices));
}

/** The item of a recording whose time is up. If it comes back, the node goes on with the same edit. */
export function stillRunningItem(
	run: NodeRun,
	{ itemIndex, itemIndices }: RecordingRequest,
	edit: UnfinishedEdit,
	report: WaitReport,
): INodeExecutionData {
	run.progress?.moved(itemIndex, 'still running when time was up');
	run.summary?.stillRunning(itemIndex);
	return unfinishedItem(run, itemIndices, edit, report);
}

/** The error of an edit that did not succeed. A FAILURE is remembered. */
export async function notSucceeded(
	{ run, recognition }: Batch,
	{ itemIndex, recording, isUploaded }: RecordingRequest,
	{ sent, skip }: UnfinishedEdit,
	report: WaitReport,
): Promise<NodeError> {
	const { end } = report;
	const facts = { ...failedEditFacts({ json: sent }), wasUploaded: isUploaded };
	const error = waitError(run.node, report, itemIndex, facts);
	if (end === 'failed') {
		if (skip !== undefined) await recognition.remembered?.of(skip.key)?.failed();
		if (!('editId' in recording)) noteFailure(run, itemIndex, recording, error);
	}
	const mayHaveResult = end === 'stillRunning' || end === 'refused';
	return mayHaveResult ? withEditKept(error) : error;
}

/** Notes a FAILURE in the ledger, for the next try of this execution. */
function noteFailure(
	run: NodeRun,
	itemIndex: number,
	recording: NewRecording,
	error: NodeError,
): void {
	const { message } = asItemError(run, error, itemIndex, { ...recording.names });
	const said = { ...failureJson(error), message };
	run.ledger.noteFailure(recording.submission, said);
}

/**
 * Adds to the failure of a charged edit how to get its result. The advice that this node shares with
 * Wait For Edit and Get Result is to run them again, which is charged again here.
 */
export function withEditKept(error: NodeError): NodeError {
	const way =
		"To get this edit's result, enter its ID in an Audio Editing Get Result node within 7 days. A new execution may create another edit, which is charged too.";
	error.description = [error.description, way].filter(Boolean).join(' ');
	return error;
}
