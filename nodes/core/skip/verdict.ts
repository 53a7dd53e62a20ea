import { messageOf } from '../../../api/failure';
import { sanitizeText } from '../../../api/sanitizeText';
import type { StoredEdit } from './memory/storedEdit';
import { operationError, toNodeError } from '../errors/errors';
import type { NodeRun } from '../run/nodeRun';
import type { RecordingHistory } from './recordingHistory';
import type { RunMemory } from './runMemory';
import type { SkipCode } from './skippedItem';
import type { SkipRule } from './skipRule';

/** What to do with a recording: submit it, go on with its edit, or skip it. */
export type Verdict =
	| { readonly does: 'submit' }
	| { readonly does: 'goOn'; readonly editId: string; readonly submittedAt: string }
	| { readonly does: 'skip'; readonly code: SkipCode; readonly editId?: string };

const SUBMIT = { does: 'submit' } as const;

/**
 * Says what to do with a recording, by what n8n's memory knows of it.
 *
 * @throws NodeOperationError if an earlier submission is uncertain, or n8n cannot look it up
 */
export async function verdictOn(
	run: NodeRun,
	itemIndex: number,
	rule: SkipRule,
	all: RunMemory,
): Promise<Verdict> {
	const recording = all.of(rule.key);
	if (recording === undefined) return SUBMIT;
	const { state, editId, failures } = recording;
	if (recording.isInWork) return skip('inWork');
	if (state === 'edited') return skip('editedBefore', editId);
	if (state === 'open') return await onOpenEdit(run, itemIndex, rule, recording);
	if (failures === 0) return SUBMIT;
	const code = failures === 1 ? 'failedBefore' : 'failedTwice';
	// The same file must not end a second night before the others are fetched.
	if (rule.afterFailure === 'skip' || (await all.findOpenEdit())) return skip(code);
	return failures === 1 || rule.afterFailure === 'always' ? SUBMIT : skip(code);
}

function skip(code: SkipCode, editId?: string): Verdict {
	return { does: 'skip', code, ...(editId && { editId }) };
}

async function onOpenEdit(
	run: NodeRun,
	itemIndex: number,
	rule: SkipRule,
	recording: RecordingHistory,
): Promise<Verdict> {
	const edit = await readOpenEdit(run, itemIndex, recording);
	if (edit === undefined) return await onUncertain(run, itemIndex, rule, recording);
	const code = await recording.whyNotFetched(edit);
	if (code !== undefined) return skip(code, edit.editId);
	recording.goesOn(edit);
	return { does: 'goOn', editId: edit.editId, submittedAt: recording.dayOf(edit) };
}

async function readOpenEdit(
	run: NodeRun,
	itemIndex: number,
	recording: RecordingHistory,
): Promise<StoredEdit | undefined> {
	try {
		return await recording.openEdit();
	} catch (error) {
		throw lookUpError(run, itemIndex, error);
	}
}

async function onUncertain(
	run: NodeRun,
	itemIndex: number,
	{ ifUncertain }: SkipRule,
	recording: RecordingHistory,
): Promise<Verdict> {
	if (ifUncertain === 'fail') throw uncertainRecording(run, itemIndex);
	if (ifUncertain === 'skip') {
		await recording.settle();
		return skip('uncertain');
	}
	await recording.forget();
	return SUBMIT;
}

/** The error if n8n's memory of a recording cannot be read or written before its submission. */
export function lookUpError(run: NodeRun, itemIndex: number, error: unknown): Error {
	const doing = 'look up whether the recording was submitted before';
	if (run.isStopped) {
		const failure = { kind: 'stopped', request: 'POST /v2/edits' } as const;
		return toNodeError(run.node, failure, { itemIndex, doing });
	}
	const message = `Could not ${doing} [item ${itemIndex}]`;
	const description =
		"Nothing was sent. n8n's database did not respond as expected: run the workflow again. If that does not help, look at n8n's log.";
	const details = [sanitizeText(messageOf(error))];
	return operationError(run.node, message, { itemIndex, description }, details);
}

function uncertainRecording(run: NodeRun, itemIndex: number): Error {
	const message = `The recording was not submitted: an earlier submission of it may have been accepted [item ${itemIndex}]`;
	const description = run.isTool
		? 'That submission was interrupted, or had no usable answer. A second edit would be charged, too. Ask the person to look at the recent edits on the service.'
		: "That submission was interrupted, or had no usable answer. A second edit would be charged, too. Look at your recent edits on the service. Then run the workflow once with 'If Uncertain' set to 'Skip' if the edit is there, and to 'Submit Again' if it is not.";
	return operationError(run.node, message, { itemIndex, description });
}
