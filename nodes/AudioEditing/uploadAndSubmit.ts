import { editRequestFor } from '../CreateEdit/prepareEdit';
import { overLimit } from '../CreateEdit/submission/notSent';
import type { AcceptedSubmission, SubmissionKey } from '../shared/run/submissionLedger';
import { submitEdit, submittedBefore } from '../CreateEdit/submission/submitEdit';
import { readSources } from '../Upload/source';
import { uploadFiles } from '../Upload/uploadFiles';
import type { NewRecording, RecordingSource } from './readRecording';
import { RecordingLookup, type SkippedRecording } from './recordingLookup';
import type { Recordings } from './recordings';
import type { NodeRun } from '../shared/run/nodeRun';
import type { SkipRule } from '../shared/skip/skipRule';

type UploadedSource = Extract<RecordingSource, { filesKey: string }>;

/**
 * Uploads and submits a recording, except what was done earlier in this execution. Skips it if an earlier
 * execution submitted it, and the form asks for that.
 *
 * @throws NodeApiError or NodeOperationError if it cannot be uploaded or submitted, or if it is uncertain
 * whether it was submitted before
 */
export async function uploadAndSubmit(
	recordings: Recordings,
	itemIndex: number,
	recording: NewRecording,
): Promise<AcceptedSubmission | SkippedRecording> {
	const { run, uploads, submissions } = recordings;
	const { source } = recording;
	// A recording must not stay uncertain because the credential cannot be used.
	await run.openService();
	const earlier = submittedBefore(run, submissionKeyOf(itemIndex, recording));
	if (earlier !== undefined) return earlier;
	const lookup = new RecordingLookup(recordings, itemIndex, recording.skip);
	const submitted = async (files: readonly string[]) => {
		recordings.planned.delete(itemIndex);
		const skip = lookup.handOver();
		return await submit(run, itemIndex, recording, files, skip);
	};
	try {
		if ('urls' in source) {
			const lookUpAndSubmit = async () =>
				(await lookup.skipped(source)) ?? (await submitted(source.urls));
			return await recordings.inTurn(submissions, itemIndex, lookUpAndSubmit);
		}
		const uploading = () => uploadSource(recordings, itemIndex, source, lookup);
		const uploaded = await recordings.inTurn(uploads, itemIndex, uploading);
		if ('skippedBy' in uploaded) return uploaded;
		return await recordings.inTurn(submissions, itemIndex, () => submitted(uploaded.files));
	} finally {
		recordings.planned.delete(itemIndex);
		await lookup.end();
	}
}

/** What the ledger recognises the submission of a recording by, before its files are uploaded. */
export function submissionKeyOf(
	itemIndex: number,
	{ source, configuration, fingerprint }: NewRecording,
): SubmissionKey {
	const request = 'urls' in source ? editRequestFor(configuration, source.urls) : undefined;
	return { itemIndex, fingerprint, request };
}

async function submit(
	run: NodeRun,
	itemIndex: number,
	{ configuration, fingerprint, hints, sourceFileName }: NewRecording,
	files: readonly string[],
	skip: SkipRule | undefined,
): Promise<AcceptedSubmission> {
	return await submitEdit(run, {
		itemIndices: [itemIndex],
		itemIndex,
		sourceFileName,
		request: editRequestFor(configuration, files),
		fingerprint,
		config: { ...configuration.config, ...configuration.additional.shown },
		isNoise: false,
		hints,
		skip,
	});
}

/** The URLs of an item's files, uploaded unless that was done earlier in this execution. */
async function uploadSource(
	{ run, planned }: Recordings,
	itemIndex: number,
	{ upload: options, filesKey }: UploadedSource,
	lookup: RecordingLookup,
): Promise<{ files: readonly string[] } | SkippedRecording> {
	const sources = await readSources(run, itemIndex, options);
	const skipped = await lookup.skipped({ files: sources });
	if (skipped !== undefined) return skipped;
	const refusal = overLimit(run, 1, run.ledger.size + planned.size);
	if (refusal) throw refusal;
	planned.add(itemIndex);
	const { ledger } = run;
	const earlier = ledger.uploadedFiles(itemIndex, filesKey);
	if (earlier !== undefined) return { files: earlier };
	const uploaded = await uploadFiles(run, itemIndex, sources, options);
	const files = uploaded.map(({ fileUrl }) => fileUrl);
	// A link to n8n's own copy has its signature in it, which must not be stored.
	if (options.linkValidHours === undefined) ledger.noteUploads(itemIndex, filesKey, files);
	return { files };
}
