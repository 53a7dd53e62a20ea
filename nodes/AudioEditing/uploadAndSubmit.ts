import { editRequestFor } from '../core/submit/prepareEdit';
import { overLimit } from '../core/submit/spending';
import type { AcceptedSubmission, SubmissionKey } from '../core/ledger/submissionLedger';
import { submitEdit, submittedBefore } from '../core/submit/submitEdit';
import { readSources } from '../core/upload/source';
import { uploadFiles } from '../core/upload/uploadFiles';
import type { NodeRun } from '../core/run/nodeRun';
import type { RememberedRecording } from '../core/skip/rememberedRecording';
import type { SkipRule } from '../core/skip/skipRule';
import type { Skipped } from '../core/skip/skippedItem';
import { lookUpError, verdictOn } from '../core/skip/verdict';
import type { NewRecording, RecordingSource } from './readRecording';
import type { Recordings } from './recordings';

type UploadedSource = Extract<RecordingSource, { filesKey: string }>;

/** An edit to wait for. */
type CreatedEdit = Pick<
	AcceptedSubmission,
	'editId' | 'submittedAt' | 'firstPollAfterSeconds' | 'sent' | 'skip'
>;

/** A recording that is not edited in this execution. */
export interface SkippedRecording {
	readonly skipped: Skipped;
}

/**
 * Uploads and submits a recording, except what was done earlier in this execution. If recordings already
 * edited are skipped, it skips one whose result was output, and goes on with an edit whose result was not.
 *
 * @throws NodeApiError or NodeOperationError if it cannot be uploaded or submitted, or if it is uncertain
 * whether it was submitted before
 */
export async function uploadAndSubmit(
	recordings: Recordings,
	itemIndex: number,
	recording: NewRecording,
): Promise<CreatedEdit | SkippedRecording> {
	const { run } = recordings;
	// A recording must not stay uncertain because the credential cannot be used.
	await run.openService();
	const earlier = submittedBefore(run, submissionKeyOf(itemIndex, recording));
	const rule = recordings.ruleOf(itemIndex);
	if (rule === undefined) return earlier ?? (await submitNew(recordings, itemIndex, recording));
	const { remembered, lookUpFailure } = recordings;
	if (remembered === undefined) throw lookUpError(run, itemIndex, lookUpFailure);
	const known = remembered.of(rule.key);
	const isGoneOn = known?.isInWork !== true && !(known?.state === 'new' && known.failures > 0);
	if (earlier !== undefined && isGoneOn) return earlier;
	// Another item of this run may have the same recording under way.
	const release = await recordings.claim(itemIndex, rule.key);
	try {
		return await submitUnlessKnown(recordings, itemIndex, recording, rule);
	} finally {
		release();
	}
}

/** What the ledger recognizes the submission of a recording by, before its files are uploaded. */
export function submissionKeyOf(
	itemIndex: number,
	{ source, configuration, fingerprint }: NewRecording,
): SubmissionKey {
	const request = 'urls' in source ? editRequestFor(configuration, source.urls) : undefined;
	return { itemIndex, fingerprint, request };
}

async function submitUnlessKnown(
	recordings: Recordings,
	itemIndex: number,
	recording: NewRecording,
	rule: SkipRule,
): Promise<CreatedEdit | SkippedRecording> {
	const { run, remembered, lookUps } = recordings;
	if (remembered === undefined) return await submitNew(recordings, itemIndex, recording, rule);
	const { way, key, request } = rule;
	const lookUp = async () => await verdictOn(run, itemIndex, rule, remembered);
	const verdict = await recordings.inTurn(lookUps, itemIndex, lookUp);
	if (verdict.does === 'goOn') return { ...verdict, skip: { key, request } };
	if (verdict.does === 'skip') return { skipped: { ...verdict, way } };
	return await submitNew(recordings, itemIndex, recording, rule);
}

/** Uploads and submits a recording that has no edit. */
async function submitNew(
	recordings: Recordings,
	itemIndex: number,
	recording: NewRecording,
	rule?: SkipRule,
): Promise<CreatedEdit | SkippedRecording> {
	const { run, planned, uploads, submissions, remembered } = recordings;
	const { source } = recording;
	const limit = overLimit(run, 1, run.ledger.size + planned.size);
	const refusal = recordings.refusal ?? limit;
	if (refusal !== undefined) {
		if (rule === undefined) throw refusal;
		const reason = recordings.refusal && `${recordings.refusal.message}.`;
		return { skipped: { code: 'overLimit', way: rule.way, ...(reason && { reason }) } };
	}
	planned.add(itemIndex);
	const memory = rule && remembered?.of(rule.key);
	try {
		const files =
			'urls' in source
				? source.urls
				: await recordings.inTurn(
						uploads,
						itemIndex,
						async () => await uploadSource(recordings, itemIndex, source),
					);
		return await recordings.inTurn(submissions, itemIndex, async () => {
			planned.delete(itemIndex);
			return await submit(run, itemIndex, recording, files, memory);
		});
	} finally {
		planned.delete(itemIndex);
	}
}

async function submit(
	run: NodeRun,
	itemIndex: number,
	{ configuration, fingerprint, hints, names }: NewRecording,
	files: readonly string[],
	memory: RememberedRecording | undefined,
): Promise<AcceptedSubmission> {
	const prepared = {
		itemIndices: [itemIndex],
		itemIndex,
		names,
		request: editRequestFor(configuration, files),
		fingerprint,
		config: { ...configuration.config, ...configuration.additional.shown },
		isNoise: false,
		hints,
		skip: memory?.recording,
	};
	return await submitEdit(run, prepared, memory);
}

/** The URLs of an item's files, uploaded unless that was done earlier in this execution. */
async function uploadSource(
	{ run, sources }: Recordings,
	itemIndex: number,
	{ upload: options, filesKey }: UploadedSource,
): Promise<readonly string[]> {
	const { ledger } = run;
	const found = sources.get(itemIndex) ?? (await readSources(run, itemIndex, options));
	const earlier = ledger.uploadedFiles(itemIndex, filesKey);
	if (earlier !== undefined) return earlier;
	const uploaded = await uploadFiles(run, itemIndex, found, options);
	const files = uploaded.map(({ fileUrl }) => fileUrl);
	// A link to n8n's own copy has its signature in it, which must not be stored.
	if (options.linkValidHours === undefined) ledger.noteUploads(itemIndex, filesKey, files);
	return files;
}
