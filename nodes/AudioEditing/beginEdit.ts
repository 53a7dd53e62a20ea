import type { AcceptedSubmission } from '../core/ledger/submissionLedger';
import type { RememberedRecordings } from '../core/skip/rememberedRecordings';
import type { SkipRule } from '../core/skip/skipRule';
import type { Skipped } from '../core/skip/skippedItem';
import { type Verdict, lookUpError, verdictOn } from '../core/skip/verdict';
import { editRequestFor } from '../core/submit/prepareEdit';
import { overLimit } from '../core/submit/spending';
import { submitEdit, submittedBefore } from '../core/submit/submitEdit';
import { readSources } from '../core/upload/source';
import { uploadFiles } from '../core/upload/uploadFiles';
import type { Recordings } from './recordings';
import { type NewRecording, type RecordingSource, submissionKeyOf } from './request';

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
 * Gets the edit of a recording: the one that it has, or a new one. If recordings already edited are skipped, it
 * skips one whose result was output, and goes on with an edit whose result was not.
 *
 * @throws NodeApiError or NodeOperationError if it cannot be uploaded or submitted, or if it is uncertain
 * whether it was submitted before
 */
export async function beginEdit(
	recordings: Recordings,
	itemIndex: number,
	recording: NewRecording,
): Promise<CreatedEdit | SkippedRecording> {
	const { run, known } = recordings;
	// A recording must not stay uncertain because the credential cannot be used.
	await run.openService();
	const earlier = submittedBefore(run, submissionKeyOf(itemIndex, recording));
	const rule = known.ruleOf(itemIndex);
	if (rule === undefined) return earlier ?? (await submitNew(recordings, itemIndex, recording));
	const { remembered, lookUpFailure } = known;
	if (remembered === undefined) throw lookUpError(run, itemIndex, lookUpFailure);
	const found = remembered.of(rule.key);
	const isGoneOn = found?.isInWork !== true && !(found?.state === 'new' && found.failures > 0);
	if (earlier !== undefined && isGoneOn) return earlier;
	const claim = recordings.claimOn(rule.key);
	await recordings.takeTurn(claim, itemIndex);
	try {
		return await submitUnlessKnown(recordings, remembered, itemIndex, recording, rule);
	} finally {
		claim.giveBack();
	}
}

async function submitUnlessKnown(
	recordings: Recordings,
	remembered: RememberedRecordings,
	itemIndex: number,
	recording: NewRecording,
	rule: SkipRule,
): Promise<CreatedEdit | SkippedRecording> {
	const verdict = await lookUpInTurn(recordings, remembered, itemIndex, rule);
	const { way, key, request } = rule;
	if (verdict.does === 'goOn') return { ...verdict, skip: { key, request } };
	if (verdict.does === 'skip') return { skipped: { ...verdict, way } };
	return await submitNew(recordings, itemIndex, recording, rule);
}

async function lookUpInTurn(
	recordings: Recordings,
	remembered: RememberedRecordings,
	itemIndex: number,
	rule: SkipRule,
): Promise<Verdict> {
	const { run, lookUps } = recordings;
	let isDone = false;
	await recordings.takeTurn(lookUps, itemIndex);
	try {
		const verdict = await verdictOn(run, itemIndex, rule, remembered);
		isDone = true;
		return verdict;
	} finally {
		recordings.endTurn(lookUps, isDone);
	}
}

/** Uploads and submits a recording that has no edit. */
async function submitNew(
	recordings: Recordings,
	itemIndex: number,
	recording: NewRecording,
	rule?: SkipRule,
): Promise<CreatedEdit | SkippedRecording> {
	const { run, planned, known } = recordings;
	const limit = overLimit(run, 1, run.ledger.size + planned.size);
	const refusal = known.refusal ?? limit;
	if (refusal !== undefined) {
		if (rule === undefined) throw refusal;
		const reason = known.refusal && `${known.refusal.message}.`;
		return { skipped: { code: 'overLimit', way: rule.way, ...(reason && { reason }) } };
	}
	planned.add(itemIndex);
	try {
		const files = await uploadInTurn(recordings, itemIndex, recording.source);
		return await submitInTurn(recordings, itemIndex, recording, files, rule);
	} finally {
		planned.delete(itemIndex);
	}
}

/** The URLs of a recording, whose files are uploaded when their turn comes. */
async function uploadInTurn(
	recordings: Recordings,
	itemIndex: number,
	source: RecordingSource,
): Promise<readonly string[]> {
	if ('urls' in source) return source.urls;
	const { uploads } = recordings;
	let isDone = false;
	await recordings.takeTurn(uploads, itemIndex);
	try {
		const urls = await uploadSource(recordings, itemIndex, source);
		isDone = true;
		return urls;
	} finally {
		recordings.endTurn(uploads, isDone);
	}
}

async function submitInTurn(
	recordings: Recordings,
	itemIndex: number,
	recording: NewRecording,
	files: readonly string[],
	rule?: SkipRule,
): Promise<AcceptedSubmission> {
	const { run, submissions, planned, known } = recordings;
	const memory = rule && known.remembered?.of(rule.key);
	const { configuration, fingerprint, hints, names } = recording;
	let isDone = false;
	await recordings.takeTurn(submissions, itemIndex);
	try {
		planned.delete(itemIndex);
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
		const accepted = await submitEdit(run, prepared, memory);
		isDone = true;
		return accepted;
	} finally {
		recordings.endTurn(submissions, isDone);
	}
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
