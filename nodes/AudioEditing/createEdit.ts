import { editRequestFor } from '../CreateEdit/prepareEdit';
import type { AcceptedSubmission } from '../shared/run/submissionLedger';
import { submitEdit, submittedBefore } from '../CreateEdit/submission/submitEdit';
import { readSources, uploadFiles } from '../Upload/uploadFiles';
import type { SkipRule } from '../shared/skip/skipRule';
import type { NewRecording, RecordingSource } from './readRecording';
import { RecordingLookup } from '../shared/skip/recordingLookup';
import type { Recordings } from './recordings';
import type { NodeRun } from '../shared/run/nodeRun';

/** A recording that this node submitted before, and the rule that recognised it. */
export interface SkippedRecording {
	readonly skippedBy: SkipRule;
}

type UploadedSource = Extract<RecordingSource, { filesKey: string }>;

/**
 * Uploads and submits a recording, except what was done earlier in this execution. Skips it if an earlier
 * execution submitted it, and the form asks for that.
 *
 * @throws NodeApiError or NodeOperationError if it cannot be uploaded or submitted, or if it is uncertain
 * whether it was submitted before
 */
export async function createEdit(
	recordings: Recordings,
	itemIndex: number,
	recording: NewRecording,
): Promise<AcceptedSubmission | SkippedRecording> {
	const { run, uploads, submissions } = recordings;
	const { source, configuration, fingerprint } = recording;
	// A recording must not stay uncertain because the credential cannot be used.
	await run.openService();
	const request = 'urls' in source ? editRequestFor(configuration, source.urls) : undefined;
	const earlier = submittedBefore(run, { itemIndex, fingerprint, request });
	if (earlier !== undefined) return earlier;
	const lookup = new RecordingLookup(recordings, itemIndex, recording.skip);
	try {
		if ('urls' in source) {
			return await recordings.inTurn(submissions, itemIndex, async () => {
				const skippedBy = await lookup.knownBy(source);
				return skippedBy
					? { skippedBy }
					: await submit(run, itemIndex, recording, source.urls, lookup);
			});
		}
		const uploaded = await recordings.inTurn(
			uploads,
			itemIndex,
			async () => await upload(run, itemIndex, source, lookup),
		);
		if ('skippedBy' in uploaded) return uploaded;
		return await recordings.inTurn(
			submissions,
			itemIndex,
			async () => await submit(run, itemIndex, recording, uploaded.files, lookup),
		);
	} finally {
		await lookup.end();
	}
}

async function submit(
	run: NodeRun,
	itemIndex: number,
	{ configuration, fingerprint, hints, sourceFileName }: NewRecording,
	files: readonly string[],
	lookup: RecordingLookup,
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
		skip: lookup.submitting(),
	});
}

/** The URLs of an item's files, uploaded unless that was done earlier in this execution. */
async function upload(
	run: NodeRun,
	itemIndex: number,
	{ upload: options, filesKey }: UploadedSource,
	lookup: RecordingLookup,
): Promise<{ files: readonly string[] } | SkippedRecording> {
	const sources = await readSources(run, itemIndex, options);
	const skippedBy = await lookup.knownBy({ sources });
	if (skippedBy !== undefined) return { skippedBy };
	const ledger = run.ledger;
	const earlier = ledger.uploadedFiles(itemIndex, filesKey);
	if (earlier !== undefined) return { files: earlier };
	const uploaded = await uploadFiles(run, itemIndex, sources, options);
	const files = uploaded.map(({ fileUrl }) => fileUrl);
	// A link to n8n's own copy has its signature in it, which must not be stored.
	if (options.linkValidHours === undefined) ledger.noteUploads(itemIndex, filesKey, files);
	return { files };
}
