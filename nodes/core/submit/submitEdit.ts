import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { type EditCreation, reviewUrlIn } from '../../../api/contract';
import {
	type RequestFailure,
	type Result,
	failed,
	mayHaveBeenAccepted,
} from '../../../api/failure';
import { sanitizeText, withoutSecrets } from '../../../api/sanitizeText';
import { systemTime } from '../../../api/time';
import { withoutSignaturesIn } from '../ledger/localLinks';
import type { PreparedRequest } from './prepareEdit';
import { ADVICE_FOR_AGENTS, notSentAgain } from './notSentAgain';
import { memoryInRetry } from './retryMemory';
import { overLimit } from './spending';
import { type NodeError, ofEdit, toNodeError } from '../errors/errors';
import { withSaid } from '../errors/failureTexts';
import { MAX_NAMED, inLines, listed } from '../texts';
import type { NodeRun } from '../run/nodeRun';
import type { Ending, EndingNote } from '../items/outcomes';
import { say } from '../run/progress';
import type {
	AcceptedSubmission,
	SubmissionKey,
	UncertainSubmission,
} from '../ledger/submissionLedger';
import type { SubmissionMemory } from '../skip/recordingHistory';
import { skipsEdited } from '../skip/skipRule';
import { lookUpError } from '../skip/verdict';

/*
 * Rules that must not regress:
 * - An edit is charged, so we post it once. The client repeats the request only if the service did not
 *   take it, and the ledger stops a second run of the node in this execution from posting it again.
 * - An edit ID is never lost: the error that ends the node names the IDs accepted before its item.
 */

/** A submission, with the link for its review if it was submitted just now. */
export interface SubmittedEdit extends AcceptedSubmission {
	readonly reviewUrl?: string;
}

/**
 * The edit that this item became earlier in this execution, if it did.
 *
 * @throws NodeOperationError if it was submitted, and nobody knows whether the service took it
 */
export function submittedBefore(
	run: NodeRun,
	submission: SubmissionKey,
): AcceptedSubmission | undefined {
	const earlier = run.ledger.find(submission);
	if (earlier?.state !== 'uncertain') return earlier;
	const why = 'an earlier attempt in this execution may have reached the service';
	const said = earlier.said
		? `The earlier attempt: ${earlier.said}`
		: 'The earlier attempt was interrupted, or is still in progress.';
	throw notSentAgain(run, submission.itemIndex, why, { said });
}

/**
 * Submits one recording that the caller did not find with {@link submittedBefore}, when the rate limit allows
 * it. What a crash interrupts before that was not submitted.
 *
 * @param remembered the recording in n8n's memory, if recordings already edited are skipped
 */
export async function submitEdit(
	run: NodeRun,
	prepared: PreparedRequest,
	remembered?: SubmissionMemory,
): Promise<SubmittedEdit> {
	const { itemIndex, request, isNoise } = prepared;
	const { client, failFast } = await run.openService();
	const isRetry = run.context.getMode() === 'retry';
	const memory = remembered ?? (isRetry ? memoryInRetry(run, prepared) : undefined);
	if (failFast.verdict() === undefined) await client.turnToSubmit();
	// Calls of a tool at the same time share the ledger, so nothing is awaited from here to the note.
	const earlier = submittedBefore(run, prepared);
	if (earlier !== undefined) return earlier;
	const refusal = overLimit(run, 1);
	if (refusal) throw refusal;
	const unsent = failFast.verdict() ?? stoppedBefore(run);
	if (unsent && !unsent.ok) throw rejected(run, prepared, unsent.failure);
	run.ledger.note(prepared, uncertain(prepared));
	await begin(run, prepared, memory);
	const submit = () =>
		isNoise ? client.createNoiseEdit(request, true) : client.createEdit(request, true);
	const created = failFast.learn(itemIndex, await submit());
	if (!created.ok) {
		if (memory && !mayHaveBeenAccepted(created.failure)) await memory.refused();
		throw rejected(run, prepared, created.failure);
	}
	const accepted = noteAccepted(run, prepared, created.value, created.retryAfterMs);
	await memory?.accepted(accepted.editId);
	return { ...accepted, reviewUrl: reviewUrlIn(created.value) };
}

/** The failure of a submission that Stop, or a failure that ends the node, came before. */
function stoppedBefore(run: NodeRun): Result<never> | undefined {
	if (!run.stoppedOrFailed.aborted) return undefined;
	return failed({ kind: 'stopped', request: 'POST /v2/edits', wasSent: false });
}

/** Remembers that the request leaves now. @throws NodeOperationError if it must not */
async function begin(run: NodeRun, prepared: PreparedRequest, memory?: SubmissionMemory) {
	try {
		await memory?.begin();
	} catch (error) {
		run.ledger.forget(prepared);
		const isOurs = error instanceof NodeOperationError;
		throw isOurs ? error : lookUpError(run, prepared.itemIndex, error);
	}
}

/** The link for the review of an edit. That of an edit from an earlier try is read from the service again. */
export async function reviewUrlOf(
	run: NodeRun,
	{ editId, isReviewed, reviewUrl }: SubmittedEdit,
): Promise<string | undefined> {
	if (!isReviewed || reviewUrl) return reviewUrl;
	const { client } = await run.openService();
	const edit = await client.getEdit(editId);
	if (edit.ok) return reviewUrlIn(edit.value);
	run.hints.add(`The review link of edit ${editId} could not be read. Look for it on the service.`);
	return undefined;
}

/** Writes down an edit that the service accepted wherever it must not be lost, with its hints. */
function noteAccepted(
	run: NodeRun,
	prepared: PreparedRequest,
	creation: EditCreation,
	retryAfterMs?: number,
): AcceptedSubmission {
	const { id: editId } = creation;
	const submittedAt = new Date(systemTime.timeOfDay()).toISOString();
	const { skip, names } = prepared;
	const { sourceFileName } = names;
	const accepted: AcceptedSubmission = {
		state: 'accepted',
		editId,
		submittedAt,
		...(retryAfterMs !== undefined && { firstPollAfterSeconds: retryAfterMs / 1_000 }),
		...(sourceFileName && { sourceFileName }),
		sent: sentIn(prepared),
		...(skip && { skip: { key: skip.key, request: skip.request } }),
		...(reviewUrlIn(creation) && { isReviewed: true }),
	};
	run.ledger.note(prepared, accepted);
	const execution = run.context.getExecutionId();
	run.noteRecording(editId, sourceFileName);
	say(run, `edit ${run.labelOf(editId)} was created in execution ${execution}`, { editId });
	pointTo(run, editId);
	for (const { message, file } of prepared.hints)
		run.hints.add(message, file && `'${sanitizeText(file)}'`);
	return accepted;
}

/**
 * Names the edits that exist, or may exist, when the error of an item ends the node, besides that of the error:
 * a few in the text, all in the details.
 *
 * @param earlierEditIds edits of these items that were created before this run of the node
 */
export function acceptedNote(
	run: NodeRun,
	{ itemIndex, message }: Ending,
	earlierEditIds: readonly string[] = [],
): EndingNote {
	const isOther = (editId: string) => !message.includes(ofEdit(editId));
	const label = (editId: string) => run.labelOf(editId);
	const earlier = [...new Set(earlierEditIds)].filter(isOther).map(label);
	const created = run.createdEditIds().filter(isOther).map(label);
	const uncertain = run.ledger.uncertainRecordings(itemIndex);
	const groups: Array<[entries: readonly string[], start: string, end: string]> = [
		[uncertain, 'The service may also have the edits of ', UNUSABLE],
		[earlier, 'Created before this run: ', '.'],
		[created, 'Created in this run: ', '.'],
	];
	const shown = groups.filter(([entries]) => entries.length > 0);
	const skips = earlier.length + created.length > 0 && skipsEdited(run.node);
	const texts = shown.map(
		([entries, start, end]) => `${start}${listed(entries.map(sanitizeText), MAX_NAMED)}${end}`,
	);
	return {
		text: texts.join(' '),
		...(Boolean(skips) && { wayToOthers: FETCHES_THEM }),
		details: shown
			.filter(([entries]) => entries.length > MAX_NAMED)
			.flatMap(([entries, start]) =>
				inLines(entries.map(sanitizeText)).map((line) => start + line),
			),
	};
}

const UNUSABLE = ': it did not send a usable response. Look at your recent edits on the service.';

const FETCHES_THEM =
	'The next execution fetches the results of the recordings that have an edit, at no new charge.';

/** What the ledger keeps of a submission that the service may have taken. */
function uncertain({ names }: PreparedRequest, said?: string): UncertainSubmission {
	const { sourceFileName } = names;
	return { state: 'uncertain', ...(said && { said }), ...(sourceFileName && { sourceFileName }) };
}

/** The error for a failed submission; the ledger keeps it if the service may have taken the edit. */
function rejected(run: NodeRun, prepared: PreparedRequest, failure: RequestFailure): NodeError {
	const isUncertain = mayHaveBeenAccepted(failure);
	const error = toNodeError(run.node, failure, {
		itemIndex: prepared.itemIndex,
		doing: 'create the edit',
		isSubmission: true,
		...(isUncertain && run.isTool && { note: ADVICE_FOR_AGENTS }),
	});
	// What the service said may contain the ID of the edit.
	const said = withSaid(error.message, failure);
	if (isUncertain) {
		run.ledger.note(prepared, uncertain(prepared, said));
		const { sourceFileName } = prepared.names;
		const of = sourceFileName ? ` of '${sanitizeText(sourceFileName)}'` : '';
		run.context.logger.warn(`Audio editing: an edit${of} may have been accepted. ${said}`);
	} else run.ledger.forget(prepared);
	return error;
}

/** What a request is about, without the secrets in its URLs. */
export function recordingOf({ request, names }: PreparedRequest): IDataObject {
	const files = request.input.files.map(withoutSecrets);
	return { ...names, files };
}

/** What a request contains, without the secrets in its URLs. */
export function sentIn(prepared: PreparedRequest): IDataObject {
	const { request, config } = prepared;
	const { signed_url: signedUrl } = config;
	const { template_id: templateId, local } = request.input;
	return {
		...recordingOf(prepared),
		config: { ...config, ...(signedUrl && { signed_url: withoutSecrets(signedUrl) }) },
		...(templateId !== undefined && { templateId }),
		...(local && { local: withoutSignaturesIn(local) }),
	};
}

/** n8n keeps up to ten short values with an execution, and nothing else after Stop; we leave nine to the author. */
const KEY = 'audioEditingEdits';

/** Our value; any other value is from the workflow's author, and stays. */
const OURS = /^(\d+) edits?: (.+)$/;

/** Instead of the IDs that do not fit. */
const MORE = ', …';

/** n8n complains about values over 255 characters. */
const MAX_IDS_CHARACTERS = 230;

/** Adds an edit to the execution's custom data: the number of edits, and as many IDs as fit. */
export function pointTo(run: NodeRun, editId: string): void {
	const { customData } = run;
	if (customData === undefined) return;
	const before: unknown = customData.get(KEY);
	const { count, ids } = readPointer(before);
	if (before !== undefined && ids === '') return;
	const id = sanitizeText(editId).slice(0, MAX_IDS_CHARACTERS);
	const all = ids === '' ? id : `${ids}, ${id}`;
	const isFull = ids.endsWith(MORE);
	const shown = all.length <= MAX_IDS_CHARACTERS ? all : `${ids}${MORE}`;
	const edits = count === 0 ? '1 edit' : `${count + 1} edits`;
	customData.set(KEY, `${edits}: ${isFull ? ids : shown}`);
}

/** The edits that an execution's custom data points to, as {@link pointTo} writes it. */
export function pointedTo(customData: Readonly<Record<string, unknown>>) {
	const { count, ids } = readPointer(customData[KEY]);
	const editIds = ids.replace(MORE, '').split(', ').filter(Boolean);
	return { count, editIds };
}

/** The number of edits, and their IDs in one text; 0 and an empty text for a value that is not ours. */
function readPointer(value: unknown): { count: number; ids: string } {
	const [, count = '0', ids = ''] = OURS.exec(String(value ?? '')) ?? [];
	return { count: Number(count), ids };
}
