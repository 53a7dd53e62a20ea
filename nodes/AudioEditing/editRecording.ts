import type { INodeExecutionData } from 'n8n-workflow';

import type { Edit } from '../../api/contract';
import { asNodeError } from '../core/errors/errors';
import { fetchResult } from '../core/fetch/fetchResult';
import type { FinishedEdit } from '../core/fetch/finishedEdit';
import { missingTexts } from '../core/fetch/texts/missingTexts';
import type { AcceptedSubmission } from '../core/ledger/submissionLedger';
import { isFetched } from '../core/output/deleteFetched';
import { editedItems } from '../core/output/editedItems';
import type { NodeRun } from '../core/run/nodeRun';
import type { Skipped } from '../core/skip/skippedItem';
import { lookUpError, verdictOn } from '../core/skip/verdict';
import { editRequestFor } from '../core/submit/prepareEdit';
import { overLimit } from '../core/submit/spending';
import { submitEdit, submittedBefore } from '../core/submit/submitEdit';
import { hasKitToUpload, withUploadedKit } from '../core/upload/kitUploads';
import { previewsOf } from '../core/upload/previewCut';
import { type UploadedFile, uploadFiles } from '../core/upload/uploadFiles';
import type { OUTPUTS } from './fields';
import { type Batch, Turn, readTracks } from './batch';
import { resolvedConfig } from './outputFormats';
import { type NewRecording, type RecordingRequest } from './request';
import { notSucceeded, skippedItemOf, stillRunningItem, withEditKept } from './unedited';

/** The output of a recording, and its items. */
interface EditedRecording {
	readonly output: (typeof OUTPUTS)[number]['name'];
	readonly items: readonly INodeExecutionData[];
}

/** An edit to wait for. */
type CreatedEdit = Pick<
	AcceptedSubmission,
	'editId' | 'submittedAt' | 'firstPollAfterSeconds' | 'sent' | 'skip'
> &
	Pick<UploadedRecording, 'durationBeforeSeconds'>;

/**
 * Takes a recording from its source to its edited file, or goes on with its unfinished edit. The slots that its turn
 * takes limit what all recordings do at once.
 *
 * @throws NodeApiError or NodeOperationError with what became of the edit
 */
export async function editRecording(
	request: RecordingRequest,
	batch: Batch,
): Promise<EditedRecording> {
	const { itemIndex, recording } = request;
	const { run, planned, wait, downloads, recognition } = batch;
	const turn = new Turn(run, itemIndex);
	let finished: FinishedEdit | undefined;
	try {
		run.progress?.moved(itemIndex, 'uploading or waiting for the rate limit');
		const begun =
			'editId' in recording ? recording : await begin(batch, turn, itemIndex, recording);
		turn.end();
		if ('code' in begun) return { output: 'skipped', items: [skippedItemOf(run, request, begun)] };
		const { editId, skip } = begun;
		const edit = { ...begun, names: recording.names };
		batch.editIds.set(itemIndex, editId);
		run.noteRecording(editId, recording.names.sourceFileName);

		run.progress?.moved(itemIndex, 'on the service');
		const report = await wait.until(edit);
		if (report.end === 'stillRunning' && wait.isPassedOn(report)) {
			const item = stillRunningItem(run, request, edit, report);
			recognition.remembered?.deliver(skip?.key);
			return { output: 'stillRunning', items: [item] };
		}
		if (report.end !== 'succeeded' || report.edit === undefined) {
			throw await notSucceeded(batch, request, edit, report);
		}

		run.progress?.moved(itemIndex, 'downloading');
		finished = finishedEdit(request, edit, report.edit);
		await turn.take(downloads);
		const fetched = await fetchResult(run, finished, request.result);
		const items = editedItems(run, finished, request.result, fetched);
		if (isToDelete(run, request, finished, items)) batch.fetched.add(editId);
		sayFreeWay(run, request, editId);
		recognition.remembered?.deliver(skip?.key);
		return { output: 'edited', items };
	} catch (thrown) {
		// Before its slots are free: if this failure ends the node, no other recording begins.
		run.endUnlessItContinues();
		const error = asNodeError(run.node, thrown, itemIndex);
		if (finished === undefined) throw error;
		batch.kept.add(finished.editId);
		throw withEditKept(error);
	} finally {
		turn.end();
		planned.delete(itemIndex);
	}
}

/** The edit of a recording, which this uploads and submits unless it has one; or why it is not edited now. */
async function begin(
	batch: Batch,
	turn: Turn,
	itemIndex: number,
	recording: NewRecording,
): Promise<CreatedEdit | Skipped> {
	const { uploads, submissions, planned } = batch;
	const known = await knownEdit(batch, turn, itemIndex, recording);
	if (known !== undefined) return known;
	const isUploaded = !('urls' in recording.source) || hasKitToUpload(recording.configuration);
	if (isUploaded) await turn.take(uploads);
	const { fileUrls, ...read } = await upload(batch, itemIndex, recording);
	const configuration = await withUploadedKit(batch.run, itemIndex, recording.configuration);
	turn.giveBack(uploads);
	await turn.take(submissions);
	planned.delete(itemIndex);
	const complete = { ...recording, configuration };
	return { ...(await submit(batch, itemIndex, complete, fileUrls)), ...read };
}

/**
 * What is known of a recording: the edit that it has, or why it is not edited in this execution. If nothing is, it
 * may be submitted, and counts for the limit of spending from then on.
 *
 * @throws NodeApiError or NodeOperationError if it is uncertain whether it was submitted before
 */
async function knownEdit(
	batch: Batch,
	turn: Turn,
	itemIndex: number,
	recording: NewRecording,
): Promise<CreatedEdit | Skipped | undefined> {
	const { run, recognition, lookUps, planned } = batch;
	// A recording must not stay uncertain because the credential cannot be used.
	await run.openService();
	const earlier = submittedBefore(run, recording.submission);
	const rule = recognition.ruleOf(itemIndex);
	if (rule === undefined) {
		if (earlier !== undefined) return earlier;
	} else {
		const { remembered, lookUpFailure } = recognition;
		if (remembered === undefined) throw lookUpError(run, itemIndex, lookUpFailure);
		const isInWork = remembered.of(rule.key)?.isInWork === true;
		if (earlier !== undefined && !isInWork) return earlier;
		await turn.take(batch.claimOn(rule.key));
		await turn.take(lookUps);
		const verdict = await verdictOn(run, itemIndex, rule, remembered);
		turn.giveBack(lookUps);
		const { way, key, request } = rule;
		if (verdict.does === 'goOn') return { ...verdict, skip: { key, request } };
		if (verdict.does === 'skip') return { ...verdict, way };
	}
	const refusal = recognition.refusal ?? overLimit(run, 1, run.ledger.size + planned.size);
	if (refusal === undefined) {
		// Nothing is awaited since the limit was asked: the next recording must count this one.
		planned.add(itemIndex);
		return undefined;
	}
	if (rule === undefined) throw refusal;
	const reason = recognition.refusal && `${recognition.refusal.message}.`;
	return { code: 'overLimit', way: rule.way, ...(reason && { reason }) };
}

/** A recording that the service has or can fetch. */
interface UploadedRecording {
	readonly fileUrls: readonly string[];
	/** Its length, if it was read on the way: that of its longest file. */
	readonly durationBeforeSeconds?: number;
}

/** The URLs of a recording's files, uploaded unless that was done earlier in this execution. */
async function upload(
	{ run, sources }: Batch,
	itemIndex: number,
	{ source, previewMinutes }: NewRecording,
): Promise<UploadedRecording> {
	if ('urls' in source) return { fileUrls: source.urls };
	const { uploads, filesKey } = source;
	const found = sources.get(itemIndex) ?? (await readTracks(run, uploads));
	const earlier = run.ledger.uploadedFiles(itemIndex, filesKey);
	if (earlier !== undefined) return { fileUrls: earlier };
	const files =
		previewMinutes === undefined ? found : await previewsOf(run, itemIndex, found, previewMinutes);
	const uploaded: UploadedFile[] = [];
	for (const [track, { itemIndex: ofTrack, upload: options }] of uploads.entries()) {
		uploaded.push(...(await uploadFiles(run, ofTrack, files[track], options)));
	}
	const fileUrls = uploaded.map(({ fileUrl }) => fileUrl);
	const seconds = uploaded.map(({ durationSeconds = NaN }) => durationSeconds);
	const longest = Math.max(...seconds);
	// A link to n8n's own copy has its signature in it, which must not be stored.
	const isSent = uploads.every(({ upload: { linkValidHours } }) => linkValidHours === undefined);
	if (isSent) run.ledger.noteUploads(itemIndex, filesKey, fileUrls);
	return { fileUrls, ...(Number.isFinite(longest) && { durationBeforeSeconds: longest }) };
}

async function submit(
	{ run, recognition }: Batch,
	itemIndex: number,
	recording: NewRecording,
	files: readonly string[],
): Promise<AcceptedSubmission> {
	const { configuration, submission, hints, names, itemIndices } = recording;
	const rule = recognition.ruleOf(itemIndex);
	const memory = rule && recognition.remembered?.of(rule.key);
	const prepared = {
		itemIndices,
		itemIndex,
		names,
		request: editRequestFor(configuration, files),
		fingerprint: submission.fingerprint,
		config: { ...configuration.config, ...configuration.additional.shown },
		isNoise: false,
		hints,
		skip: memory?.recording,
	};
	return await submitEdit(run, prepared, memory);
}

/** A finished edit, with what is known of its recording. */
function finishedEdit(
	{ itemIndex, itemIndices, recording }: RecordingRequest,
	{
		editId,
		names,
		durationBeforeSeconds,
	}: Pick<FinishedEdit, 'editId' | 'names' | 'durationBeforeSeconds'>,
	edit: Edit,
): FinishedEdit {
	const isTranscribed =
		'configuration' in recording && resolvedConfig(recording.configuration).transcription;
	return { itemIndex, itemIndices, editId, edit, names, isTranscribed, durationBeforeSeconds };
}

/** Tells a person who tries the node how not to be charged again for another format. */
function sayFreeWay(run: NodeRun, { deletesWhenFetched }: RecordingRequest, editId: string): void {
	if (run.isTool || deletesWhenFetched || run.context.getMode() !== 'manual') return;
	run.hints.add(
		'to get other formats free of charge, enter the ID in an Audio Editing Get Result node. Executing this step again creates a new edit, which is charged.',
		`edit ${editId}`,
		'info',
	);
}

/** Whether the form says to delete an edit that was fetched, and n8n has all of it. */
function isToDelete(
	run: NodeRun,
	{ result, deletesWhenFetched }: RecordingRequest,
	finished: FinishedEdit,
	items: readonly INodeExecutionData[],
): boolean {
	// An agent gets links instead of files, so its edit stays.
	if (!deletesWhenFetched || run.isTool) return false;
	const { formatKinds, downloads: kinds } = result;
	const missing = missingTexts(finished.edit, formatKinds, finished.isTranscribed);
	return isFetched(run, finished, { items, kinds, missing });
}
