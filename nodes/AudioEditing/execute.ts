import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { errorFromJson, isFailureJson, asNodeError } from '../core/errors/errors';
import { readForm } from '../core/form/readForm';
import { unfinishedEditOf } from '../core/output/editedItems';
import { NodeRun } from '../core/run/nodeRun';
import { Outcomes } from '../core/items/outcomes';
import { readItemForm } from '../core/items/readItemForm';
import type { RecordingKey } from '../core/ledger/submissionLedger';
import { skipRuleFor } from '../core/skip/skipRule';
import { recordingRequestOf } from '../core/submit/prepareEdit';
import { limitSpending } from '../core/submit/spending';
import { refuseUncuttable } from '../core/upload/previewCut';
import { checkBeforeUpload } from '../core/submit/checkBeforeUpload';
import { acceptedNote } from '../core/submit/submitEdit';
import { editRecording } from './editRecording';
import { EDIT_RECORDING_FIELDS, GOING_ON_FIELDS, OUTPUTS } from './fields';
import { Batch, readTracks } from './batch';
import { type NewRecording, type RecordingRequest, readRequest } from './request';

type EditOutcomes = Outcomes<(typeof OUTPUTS)[number]['name']>;

/** Edits the recordings of all items at once, each from its file to its edited file. */
export async function editRecordings(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context);
	if (run.items.length === 0) return [[]];
	const outcomes: EditOutcomes = new Outcomes(run, {
		outputs: OUTPUTS,
		// n8n stores the ledger with the execution, so a retry finds it.
		onRetry:
			"Uploaded files are not sent again, and created edits are not charged again, unless you change the edit's file or options.",
		progress: ['edited', 'recordings'],
		sumsUp: true,
		areEdits: true,
	});
	let batch: Batch | undefined;
	try {
		const settings = readForm(context, EDIT_RECORDING_FIELDS, 0, run.isTool, 'allItems');
		const shared = (batch = new Batch(run, settings));
		const requests = await readRequests(shared, outcomes);
		await plan(shared, outcomes, requests);
		// Each recording moves on as soon as it can; slots limit transfers and submissions.
		await Promise.all(requests.map(async (request) => await editItem(shared, outcomes, request)));
		assertGoesOn(shared, outcomes);
		return outcomes.outputs();
	} catch (error) {
		return outcomes.ofAll(error);
	} finally {
		outcomes.show();
		await batch?.finish();
	}
}

async function readRequests(batch: Batch, outcomes: EditOutcomes): Promise<RecordingRequest[]> {
	const { run } = batch;
	const requests: RecordingRequest[] = [];
	for await (const itemIndices of outcomes.itemsToRead(itemsOfEach(batch))) {
		try {
			const unfinished = unfinishedEditOf(run, itemIndices[0]);
			const fields = unfinished ? GOING_ON_FIELDS : EDIT_RECORDING_FIELDS;
			const request = readRequest(
				run,
				readItemForm(run, fields, itemIndices),
				itemIndices,
				unfinished,
			);
			if (!hasFailedBefore(run, outcomes, request)) requests.push(request);
		} catch (error) {
			outcomes.failed(itemIndices, error);
		}
	}
	assertGoesOn(batch, outcomes);
	return requests;
}

/** The items of each recording: each by itself, unless the form says that they are the tracks of one. */
function itemsOfEach({ run, settings }: Batch): number[][] {
	const all = [...run.items.keys()];
	const alone = all.map((index) => [index]);
	if (settings.fields.itemsAre !== 'tracks' || run.isTool) return alone;
	// What goes on with its edit has all tracks in it.
	const isNew = (index: number) => unfinishedEditOf(run, index) === undefined;
	const tracks = all.filter(isNew);
	const unfinished = alone.filter(([index]) => !isNew(index));
	return tracks.length > 0 ? [...unfinished, tracks] : unfinished;
}

/** Whether an earlier try of this execution has seen the edit fail: n8n's Retry On Fail cannot mend that. */
function hasFailedBefore(
	run: NodeRun,
	outcomes: EditOutcomes,
	{ itemIndex, itemIndices, recording }: RecordingRequest,
): boolean {
	if ('editId' in recording || run.mayContinue || run.isTool) return false;
	const failure = run.ledger.failureOf(recording.submission);
	if (!isFailureJson(failure)) return false;
	outcomes.failed(itemIndices, errorFromJson(run.node, failure, itemIndex));
	return true;
}

/** Ends the node if a failure has, and names the edits that were charged, those of earlier rounds of a loop too. */
function assertGoesOn({ run, editIds }: Batch, outcomes: EditOutcomes): void {
	const { ending } = outcomes;
	const created = run.createdEditIds();
	const earlier = [...editIds.values()].filter((editId) => !created.includes(editId));
	outcomes.assertGoesOn(ending && acceptedNote(run, ending, earlier));
}

/** Looks up the recordings, and refuses a run that would spend more than the form allows. */
async function plan(
	batch: Batch,
	outcomes: EditOutcomes,
	requests: RecordingRequest[],
): Promise<void> {
	const { run, recognition, settings } = batch;
	try {
		await lookUp(batch, requests);
		await checkNewEdits(batch, outcomes, requests);
		await limitSpending(run, recognition, settings, plannedAmong(batch, requests));
	} catch (error) {
		const refusal = asNodeError(run.node, error, 0);
		for (const { itemIndices, recording } of requests.splice(0)) {
			outcomes.failed(itemIndices, refusal, { ...recording.names });
		}
	}
}

/** Compares the new edits with the service and its templates; those that cannot be made fail. */
async function checkNewEdits(
	batch: Batch,
	outcomes: EditOutcomes,
	requests: RecordingRequest[],
): Promise<void> {
	const { run, recognition } = batch;
	for (const request of requests.splice(0)) {
		const { itemIndex, itemIndices, recording } = request;
		if ('editId' in recording || !recognition.mayBeNew(itemIndex)) {
			requests.push(request);
			continue;
		}
		try {
			const { submission, configuration } = recording;
			const more = await checkBeforeUpload(run, submission, configuration);
			await checkPreview(batch, itemIndex, recording);
			const hints = [...recording.hints, ...more];
			requests.push({ ...request, recording: { ...recording, hints } });
		} catch (error) {
			outcomes.failed(itemIndices, error, { ...recording.names });
		}
	}
}

/** Refuses a recording of which no part can be cut out, before anything is uploaded. @throws NodeOperationError */
async function checkPreview(
	{ run, sources }: Batch,
	itemIndex: number,
	{ previewMinutes, source, submission }: NewRecording,
): Promise<void> {
	// What was charged before a retry needs no file any more.
	const isCharged = run.ledger.find(submission) !== undefined;
	if (previewMinutes === undefined || 'urls' in source || run.isStopped || isCharged) return;
	const tracks = sources.get(itemIndex) ?? (await readTracks(run, source.uploads));
	await refuseUncuttable(run, itemIndex, tracks.flat());
}

/** The submissions that the forms ask for, except those of recordings that have an edit. */
function plannedAmong({ recognition }: Batch, requests: readonly RecordingRequest[]) {
	return requests.flatMap(({ itemIndex, recording }) => {
		if ('editId' in recording || !recognition.mayBeNew(itemIndex)) return [];
		return [{ ...recording.submission, skip: recording.skip }];
	});
}

/**
 * Looks up the recordings of all items in n8n's memory, before the first is uploaded: what to do with one
 * that failed depends on the others. What fails for an item is noted as that item's.
 */
async function lookUp(batch: Batch, requests: readonly RecordingRequest[]): Promise<void> {
	const { run, recognition } = batch;
	const goneOn: RecordingKey[] = [];
	for (const { itemIndex, recording } of requests) {
		if (run.isStopped) return;
		if ('editId' in recording) {
			if (recording.skip) goneOn.push(recording.skip);
			continue;
		}
		try {
			await noteRule(batch, itemIndex, recording);
		} catch (error) {
			recognition.noteFailure(itemIndex, error);
		}
	}
	await recognition.lookUp(run, goneOn);
}

/** Notes how a recording is recognized. Reads its files where their content counts. */
async function noteRule(
	{ run, recognition, sources }: Batch,
	itemIndex: number,
	{ source, configuration, skip }: NewRecording,
): Promise<void> {
	if (skip === undefined) return;
	const request = recordingRequestOf(configuration);
	if ('urls' in source) {
		recognition.noteRule(itemIndex, await skipRuleFor(skip, source, request));
		return;
	}
	const tracks = await readTracks(run, source.uploads);
	sources.set(itemIndex, tracks);
	recognition.noteRule(itemIndex, await skipRuleFor(skip, { files: tracks.flat() }, request));
}

async function editItem(
	batch: Batch,
	outcomes: EditOutcomes,
	request: RecordingRequest,
): Promise<void> {
	const { itemIndex, itemIndices, recording } = request;
	try {
		if (outcomes.isOver) return;
		const { output, items } = await editRecording(request, batch);
		outcomes.done(itemIndices, items, output);
	} catch (error) {
		const known: IDataObject = { ...recording.names, ...batch.knownOf(itemIndex) };
		outcomes.failed(itemIndices, error, known);
	}
}
