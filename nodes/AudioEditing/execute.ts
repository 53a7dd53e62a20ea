import type { INodeExecutionData } from 'n8n-workflow';

import type { WaitReport } from '../../waiting/waitReport';
import { refuseOverspending } from '../core/submit/spending';
import { acceptedNote } from '../core/submit/submitEdit';
import type { FinishedEdit, ResultOptions } from '../core/fetch/fetchResult';
import { missingTexts } from '../core/fetch/texts/missingTexts';
import { firstPollAsked, submittedAtMsOf } from '../core/wait/editWait';
import { waitError } from '../core/wait/waitError';
import { type NodeError, errorFromJson, failureJson, isFailureJson } from '../core/errors/errors';
import { failedEditFacts } from '../core/errors/failedEdit';
import { asItemError, asNodeError } from '../core/errors/failedItems';
import type { EndingNote, NodeWork } from '../core/run/runNode';
import { CODE_WORDS, skippedItem } from '../core/skip/skippedItem';
import { lookUpRecordings } from './recordingLookup';
import { type SkippedRecording, submissionKeyOf, uploadAndSubmit } from './uploadAndSubmit';
import { isFetched } from './deleteFetched';
import { type UnfinishedEdit, editedItems, unfinishedItem } from './recordingItems';
import {
	type NewRecording,
	type RecordingForm,
	configOf,
	readRecording,
	readsUrls,
} from './readRecording';
import { Recordings } from './recordings';
import type { SourceNames } from '../core/files/sourceNames';
import type { NodeRun } from '../core/run/nodeRun';

/** Edits the recordings of all items at once, each from its file to its edited file. */
export function editRecordingsWork(run: NodeRun): NodeWork<RecordingForm> {
	const recordings = new Recordings(run);
	return {
		read: ([itemIndex]) => readUnlessFailed(run, itemIndex),
		begin: async (forms) => await begin(recordings, forms),
		handle: (form) => editRecording(recordings, form),
		known: (itemIndex, form) => {
			return { ...form?.recording.names, ...recordings.knownOf(itemIndex) };
		},
		// Each recording moves on as soon as it can; slots limit transfers and submissions.
		atOnce: run.items.length,
		// n8n stores the ledger with the execution, so a retry finds it.
		onRetry:
			"Uploaded files are not sent again, and created edits are not charged again, unless you change the edit's file or options.",
		endingNote: (itemIndex) => endingNote(recordings, itemIndex),
		progress: ['edited', 'recordings'],
		sumsUp: true,
		finish: () => recordings.finish(),
	};
}

/** Reads an item. @throws its failure that an earlier try of this execution has seen: n8n's Retry On Fail cannot mend it */
function readUnlessFailed(run: NodeRun, itemIndex: number): RecordingForm {
	const form = readRecording(run, itemIndex);
	if ('editId' in form.recording || run.mayContinue || run.isTool) return form;
	const failure = run.ledger.failureOf(submissionKeyOf(itemIndex, form.recording));
	if (isFailureJson(failure)) throw errorFromJson(run.node, failure, itemIndex);
	return form;
}

/** Looks up the recordings, and refuses a run that would spend more than the form allows. */
async function begin(recordings: Recordings, forms: readonly RecordingForm[]): Promise<void> {
	const { run } = recordings;
	await lookUpRecordings(recordings, forms);
	const planned = forms.flatMap((form) => plannedIn(recordings, form));
	try {
		await refuseOverspending(run, planned);
	} catch (error) {
		const fetches = recordings.remembered?.hasOpenEdit === true && error instanceof Error;
		if (!fetches) throw asNodeError(run.node, error, 0);
		recordings.refusal = error;
	}
}

/** The submission that a form asks for, unless its item brings its edit along, or it has one. */
function plannedIn({ rules, remembered }: Recordings, { itemIndex, recording }: RecordingForm) {
	if ('editId' in recording) return [];
	const found = rules.get(itemIndex);
	const rule = found !== undefined && 'rule' in found ? found.rule : undefined;
	const known = rule && remembered?.of(rule.key);
	if (known !== undefined && known.state !== 'new') return [];
	return [{ ...submissionKeyOf(itemIndex, recording), skip: recording.skip }];
}

/** Names the edits that were charged before an item's error ends the node, those of earlier rounds of a loop too. */
function endingNote({ run, editIds }: Recordings, itemIndex: number): EndingNote {
	const accepted = run.ledger.acceptedSubmissions().map(({ editId }) => editId);
	const others = [...editIds].filter(([index]) => index !== itemIndex).map(([, editId]) => editId);
	const earlier = others.filter((editId) => !accepted.includes(editId));
	return acceptedNote(run, itemIndex, earlier);
}

/** Takes a recording from its source to its edited file, or goes on with its unfinished edit. */
async function editRecording(recordings: Recordings, form: RecordingForm) {
	const { itemIndex, recording, result, deletesWhenFetched } = form;
	const { run, wait } = recordings;
	const { names } = recording;
	run.progress?.moved(itemIndex, 'uploading or waiting for the rate limit');
	const created =
		'editId' in recording ? recording : await uploadAndSubmit(recordings, itemIndex, recording);
	if ('skipped' in created) return skippedOutputs(run, itemIndex, created, names);
	const { editId, submittedAt } = created;
	recordings.editIds.set(itemIndex, editId);
	run.noteRecording(editId, names.sourceFileName);
	run.progress?.moved(itemIndex, 'on the service');
	const report = await wait.until({
		editId,
		submittedAtMs: submittedAtMsOf(submittedAt),
		...('firstPollAfterSeconds' in created && firstPollAsked(created.firstPollAfterSeconds)),
	});
	const edit = { ...created, names };
	if (report.end === 'stillRunning' && wait.isPassedOn(report)) {
		run.progress?.moved(itemIndex, 'still running when time was up');
		run.summary?.stillRunning(itemIndex);
		const item = unfinishedItem(run, itemIndex, edit, report);
		recordings.remembered?.deliver(edit.skip?.key);
		// An agent's model reads the first output only.
		const isSecond = handsOver(run) && !run.isTool;
		return isSecond ? [[], [item]] : [[item]];
	}
	const finished = await succeeded(recordings, form, edit, report);
	run.progress?.moved(itemIndex, 'downloading');
	const items = await fetchItems(recordings, finished, result);
	// An agent gets links instead of files, so its edit stays.
	const mayDelete = deletesWhenFetched && !run.isTool;
	const missing = missingTexts(finished.edit, result.formatKinds, finished.isTranscribed);
	if (mayDelete && isFetched(run, finished, { items, kinds: result.downloads, missing })) {
		recordings.fetched.add(editId);
	}
	recordings.remembered?.deliver(edit.skip?.key);
	return [items];
}

/** Fetches the files of a finished edit when their turn comes. */
async function fetchItems(recordings: Recordings, finished: FinishedEdit, result: ResultOptions) {
	const { run, downloads, kept } = recordings;
	const { itemIndex, editId } = finished;
	try {
		const fetch = () => editedItems(run, finished, result);
		return await recordings.inTurn(downloads, itemIndex, fetch);
	} catch (error) {
		kept.add(editId);
		throw withEditKept(run, itemIndex, error);
	}
}

/** The edit of a recording whose wait has ended. @throws the error of an edit that did not succeed */
async function succeeded(
	{ run, remembered }: Recordings,
	{ itemIndex, recording }: RecordingForm,
	{ editId, sent, skip, names }: UnfinishedEdit,
	report: WaitReport,
): Promise<FinishedEdit> {
	const { end, edit } = report;
	if (end === 'succeeded' && edit !== undefined) {
		const isTranscribed = 'configuration' in recording && configOf(recording).transcription;
		return { itemIndex, editId, edit, names, isTranscribed };
	}
	const facts = { ...failedEditFacts({ json: sent }), wasUploaded: !readsUrls(run, itemIndex) };
	const error = waitError(run.node, report, itemIndex, facts);
	if (end === 'failed') {
		if (skip !== undefined) await remembered?.of(skip.key)?.failed();
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

/** The outputs for a skipped recording; its output comes after that of unfinished edits. */
function skippedOutputs(
	run: NodeRun,
	itemIndex: number,
	{ skipped }: SkippedRecording,
	names: SourceNames,
): INodeExecutionData[][] {
	const { items, isTool } = run;
	const { json, binary } = items[itemIndex];
	run.progress?.moved(itemIndex, 'skipped');
	run.summary?.skipped(itemIndex, CODE_WORDS[skipped.code]);
	const about = { ...(isTool ? {} : json), ...names };
	const item = skippedItem(skipped, about, binary && !isTool ? { binary } : {});
	// An agent's model reads the first output only.
	if (isTool) return [[item]];
	return handsOver(run) ? [[], [], [item]] : [[], [item]];
}

/** Whether unfinished edits have their own output. */
function handsOver(run: NodeRun): boolean {
	return run.option('whenTimeIsUp', 0, '') === 'secondOutput';
}
