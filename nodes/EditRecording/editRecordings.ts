import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { editRequestFor } from '../CreateEdit/prepareEdit';
import { ledgerOf } from '../CreateEdit/submissionLedger';
import { acceptedNote, submitEdit, submittedBefore } from '../CreateEdit/submitEdit';
import { type UploadOptions, uploadFiles } from '../Upload/uploadFiles';
import { waitError } from '../WaitForEdit/waitError';
import { failedDeliveryAdvice } from '../shared/deliveries';
import { mayContinue } from '../shared/failedItems';
import type { NodeWork } from '../shared/runNode';
import { editedItems } from './editedItems';
import { type NewRecording, type RecordingForm, readRecording } from './readRecording';
import { type RecordingRun, begunRunOf, recordingRunOf } from './recordingRun';
import { unfinishedItem } from './unfinishedItem';

/** Edits the recordings of all items at once, each from its file to its edited file. */
export const EDIT_RECORDING_WORK: NodeWork<RecordingForm> = {
	read: readRecording,
	handle: editRecording,
	known: knownOf,
	failed,
	// Each recording moves on as soon as it can; what is limited is limited by the run.
	atOnce: (context) => context.getInputData().length,
	// n8n stores the ledger with the execution, so a retry finds it.
	onRetry:
		'Files that were uploaded are not sent again, nor are edits that were created charged again.',
	endingNote: acceptedNote,
	outputCount: (context) =>
		context.getNodeParameter('whenTimeIsUp', 0, '') === 'secondOutput' ? 2 : 1,
	finish: async (context) => await begunRunOf(context)?.finish(),
};

/** What is known of an item that failed: the name of its recording, and its edit's ID. */
function knownOf(context: IExecuteFunctions, itemIndex: number, form?: RecordingForm): IDataObject {
	const sourceFileName = form?.recording.sourceFileName;
	const editId = begunRunOf(context)?.editIdOf(itemIndex);
	return { ...(sourceFileName && { sourceFileName }), ...(editId && { editId }) };
}

/** Other recordings go no further if the failure of one ends the node. */
function failed(context: IExecuteFunctions, [itemIndex]: readonly number[]): void {
	const run = begunRunOf(context);
	run?.progress.moved(itemIndex, 'failed');
	if (!mayContinue(context)) run?.end();
}

/** Takes a recording from its source to its edited file, or goes on with its unfinished edit. */
async function editRecording(
	context: IExecuteFunctions,
	{ itemIndex, recording, result, whenTimeIsUp, deletesWhenFetched }: RecordingForm,
): Promise<INodeExecutionData[][]> {
	const run = recordingRunOf(context);
	const { sourceFileName, inputField } = recording;
	const created: CreatedEdit =
		'editId' in recording ? recording : await createEdit(context, run, itemIndex, recording);
	const { editId, submittedAt, sent } = created;
	const report = await run.wait(itemIndex, created);
	if (report.end === 'stillRunning' && whenTimeIsUp !== 'fail') {
		run.progress.moved(itemIndex, 'stillRunning');
		const unfinished = { editId, submittedAt, sourceFileName, inputField };
		const item = unfinishedItem(context, itemIndex, unfinished, report);
		return whenTimeIsUp === 'secondOutput' ? [[], [item]] : [[item]];
	}
	const { edit } = report;
	if (report.end !== 'succeeded' || edit === undefined) {
		const advice = failedDeliveryAdvice({ json: sent });
		throw waitError(context.getNode(), report, itemIndex, [], advice);
	}
	const finished = { itemIndex, editId, edit, sourceFileName };
	const fetch = async () => await editedItems(context, finished, result, deletesWhenFetched);
	const items = await run.download(itemIndex, fetch);
	run.progress.moved(itemIndex, 'edited');
	return [items];
}

/** An edit at the service. */
interface CreatedEdit {
	readonly editId: string;
	readonly submittedAt: string;
	/** What was sent; unknown for an edit of an earlier run. */
	readonly sent?: IDataObject;
}

/** Uploads and submits a recording, except what was done earlier in this execution. */
async function createEdit(
	context: IExecuteFunctions,
	run: RecordingRun,
	itemIndex: number,
	{ source, configuration, hints, sourceFileName }: NewRecording,
): Promise<CreatedEdit> {
	const submit = async (files: readonly string[]) => {
		const request = editRequestFor(configuration, files);
		const { config } = configuration;
		const recording = { itemIndices: [itemIndex], itemIndex, sourceFileName };
		const prepared = { ...recording, request, config, hints, isNoise: false };
		return await run.submit(itemIndex, async () => await submitEdit(context, prepared));
	};
	if ('urls' in source) return await submit(source.urls);
	const earlier = submittedBefore(context, itemIndex);
	return earlier ?? (await submit(await uploadedFiles(context, run, itemIndex, source.upload)));
}

/** The URLs of an item's files, uploaded unless that was done earlier in this execution. */
async function uploadedFiles(
	context: IExecuteFunctions,
	run: RecordingRun,
	itemIndex: number,
	options: UploadOptions,
): Promise<readonly string[]> {
	const ledger = ledgerOf(context);
	const earlier = ledger.uploadedFiles(itemIndex);
	if (earlier !== undefined) return earlier;
	const upload = async () => await uploadFiles(context, itemIndex, options);
	const fileUrls = (await run.upload(itemIndex, upload)).map(({ fileUrl }) => fileUrl);
	// A link to n8n's own copy has its signature in it, which must not be stored.
	if (options.linkValidHours === undefined) ledger.noteUploads(itemIndex, fileUrls);
	return fileUrls;
}
