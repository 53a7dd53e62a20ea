import type { INodeExecutionData } from 'n8n-workflow';

import type { WaitReport } from '../../waiting/waitReport';
import { type NodeError, failureJson } from '../core/errors/errors';
import { failedEditFacts } from '../core/errors/failedEdit';
import { asItemError, asNodeError } from '../core/errors/failedItems';
import type { FinishedEdit } from '../core/fetch/fetchResult';
import { missingTexts } from '../core/fetch/texts/missingTexts';
import { isFetched } from '../core/output/deleteFetched';
import { type UnfinishedEdit, editedItems, unfinishedItem } from '../core/output/editedItems';
import type { NodeRun } from '../core/run/nodeRun';
import { CODE_WORDS, skippedItem } from '../core/skip/skippedItem';
import { firstPollAsked, submittedAtMsOf } from '../core/wait/editWait';
import { waitError } from '../core/wait/waitError';
import { type SkippedRecording, beginEdit } from './beginEdit';
import type { OUTPUTS } from './fields';
import type { Recordings } from './recordings';
import {
	type NewRecording,
	type RecordingRequest,
	configOf,
	readsUrls,
	submissionKeyOf,
} from './request';

/** The output of a recording, and its items. */
interface EditedRecording {
	readonly output: (typeof OUTPUTS)[number]['name'];
	readonly items: readonly INodeExecutionData[];
}

/**
 * Takes a recording from its source to its edited file, or goes on with its unfinished edit: upload, submit, wait,
 * fetch.
 *
 * @throws NodeApiError or NodeOperationError with what became of the edit
 */
export async function editRecording(
	request: RecordingRequest,
	recordings: Recordings,
): Promise<EditedRecording> {
	const { itemIndex, recording } = request;
	const { run, wait, known } = recordings;
	run.progress?.moved(itemIndex, 'uploading or waiting for the rate limit');
	const begun =
		'editId' in recording ? recording : await beginEdit(recordings, itemIndex, recording);
	if ('skipped' in begun) return skipped(run, request, begun);
	const edit = { ...begun, names: recording.names };
	const { editId, submittedAt, names } = edit;
	recordings.editIds.set(itemIndex, editId);
	run.noteRecording(editId, names.sourceFileName);
	run.progress?.moved(itemIndex, 'on the service');
	const report = await wait.until({
		editId,
		submittedAtMs: submittedAtMsOf(submittedAt),
		...('firstPollAfterSeconds' in begun && firstPollAsked(begun.firstPollAfterSeconds)),
	});
	const isLeft = report.end === 'stillRunning' && wait.isPassedOn(report);
	const { output, items } = isLeft
		? stillRunning(run, request, edit, report)
		: await fetched(recordings, request, await succeeded(recordings, request, edit, report));
	known.remembered?.deliver(edit.skip?.key);
	return { output, items };
}

/** The item of a recording that is not edited in this execution. */
function skipped(
	run: NodeRun,
	{ itemIndex, recording }: RecordingRequest,
	{ skipped: why }: SkippedRecording,
): EditedRecording {
	const { items, isTool } = run;
	const { json, binary } = items[itemIndex];
	run.progress?.moved(itemIndex, 'skipped');
	run.summary?.skipped(itemIndex, CODE_WORDS[why.code]);
	const about = { ...(isTool ? {} : json), ...recording.names };
	const item = skippedItem(why, about, binary && !isTool ? { binary } : {});
	return { output: 'skipped', items: [item] };
}

/** The item of a recording whose time is up. If it comes back, the node goes on with the same edit. */
function stillRunning(
	run: NodeRun,
	{ itemIndex }: RecordingRequest,
	edit: UnfinishedEdit,
	report: WaitReport,
): EditedRecording {
	run.progress?.moved(itemIndex, 'still running when time was up');
	run.summary?.stillRunning(itemIndex);
	return { output: 'stillRunning', items: [unfinishedItem(run, itemIndex, edit, report)] };
}

/** The items with the files of a finished edit, which is deleted afterwards if the form says so. */
async function fetched(
	recordings: Recordings,
	request: RecordingRequest,
	finished: FinishedEdit,
): Promise<EditedRecording> {
	const { run } = recordings;
	const { result } = request;
	run.progress?.moved(finished.itemIndex, 'downloading');
	const items = await fetchInTurn(recordings, request, finished);
	// An agent gets links instead of files, so its edit stays.
	if (request.deletesWhenFetched && !run.isTool) {
		const missing = missingTexts(finished.edit, result.formatKinds, finished.isTranscribed);
		const isAll = isFetched(run, finished, { items, kinds: result.downloads, missing });
		if (isAll) recordings.fetched.add(finished.editId);
	}
	return { output: 'edited', items };
}

/** Fetches the files of a finished edit when their turn comes. */
async function fetchInTurn(
	recordings: Recordings,
	{ form, result }: RecordingRequest,
	finished: FinishedEdit,
): Promise<INodeExecutionData[]> {
	const { run, downloads, kept } = recordings;
	const { itemIndex, editId } = finished;
	let isDone = false;
	try {
		await recordings.takeTurn(downloads, itemIndex);
		try {
			const items = await editedItems(run, form, finished, result);
			isDone = true;
			return items;
		} finally {
			recordings.endTurn(downloads, isDone);
		}
	} catch (error) {
		kept.add(editId);
		throw withEditKept(run, itemIndex, error);
	}
}

/** The edit of a recording whose wait has ended. @throws the error of an edit that did not succeed */
async function succeeded(
	{ run, known }: Recordings,
	{ itemIndex, recording, form }: RecordingRequest,
	{ editId, sent, skip, names }: UnfinishedEdit,
	report: WaitReport,
): Promise<FinishedEdit> {
	const { end, edit } = report;
	if (end === 'succeeded' && edit !== undefined) {
		const isTranscribed = 'configuration' in recording && configOf(recording).transcription;
		return { itemIndex, editId, edit, names, isTranscribed };
	}
	const facts = { ...failedEditFacts({ json: sent }), wasUploaded: !readsUrls(run, form) };
	const error = waitError(run.node, report, itemIndex, facts);
	if (end === 'failed') {
		if (skip !== undefined) await known.remembered?.of(skip.key)?.failed();
		if (!('editId' in recording)) noteFailure(run, itemIndex, recording, error);
	}
	const mayHaveResult = end === 'stillRunning' || end === 'refused';
	throw mayHaveResult ? withEditKept(run, itemIndex, error) : error;
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
	run.ledger.noteFailure(submissionKeyOf(itemIndex, recording), said);
}

/**
 * Adds to the failure of a charged edit how to get its result. The advice that this node shares with
 * Wait For Edit and Get Result is to run them again, which is charged again here.
 */
function withEditKept(run: NodeRun, itemIndex: number, failure: unknown): NodeError {
	const error = asNodeError(run.node, failure, itemIndex);
	const way =
		"To get this edit's result, enter its ID in a Get Result node within 7 days. A new execution may create another edit, which is charged too.";
	error.description = [error.description, way].filter(Boolean).join(' ');
	return error;
}
