import type { INode } from 'n8n-workflow';

import { mayBeUnknown, reviewEndIn, reviewUrlIn } from '../../../api/contract';
import { pathId, sanitizeText } from '../../../api/sanitizeText';
import {
	type NodeError,
	asStopped,
	ofEdit,
	operationError,
	toNodeError,
	withoutId,
} from '../errors/errors';
import type { EndedWait, WaitReport } from '../../../waiting/waitReport';
import {
	type FailedEditFacts,
	PENDING_NOTE,
	failedEditAdvice,
	failedEditText,
} from '../errors/failureTexts';
import { MAX_NAMED, inLines, listed } from '../texts';
import type { NodeRun } from '../run/nodeRun';
import type { EndingNote } from '../items/outcomes';

/**
 * The error for an edit that did not succeed: its ID, its last status, how long we waited, and what to do.
 *
 * @param facts what is known of the edit if it ended in FAILURE
 */
export function waitError(
	node: INode,
	report: WaitReport,
	itemIndex: number,
	facts?: FailedEditFacts,
): NodeError {
	const { editId, failure } = report;
	const note = troublesText(report);
	if (report.end === 'refused' && failure !== undefined) {
		// An unusable ID may be a signed URL that was mapped by mistake.
		const shown = pathId(editId).ok ? editId : sanitizeText(editId);
		return toNodeError(node, failure, {
			itemIndex,
			doing: 'wait for the edit',
			editId: shown,
			note,
		});
	}
	const { state, advice } = textFor(report, facts);
	const message = `${state}${ofEdit(editId)} [item ${itemIndex}]`;
	const description = [advice, note].filter(Boolean).join(' ');
	const error = operationError(node, message, { itemIndex, description });
	return report.end === 'abandoned' ? asStopped(error) : error;
}

/** Where a person finds the link of a review, which must not be in a log or an error. */
export const WHERE_TO_REVIEW =
	"Its review link is on the service's own page, and in 'reviewUrl' of Audio Editing Create Edit and of an item that is passed on as still running.";

/** Until when, if that is known, for a sentence. */
export function until(endsAtMs: number | undefined): string {
	return endsAtMs === undefined ? '' : ` until ${new Date(endsAtMs).toISOString()}`;
}

function textFor(report: WaitReport, facts?: FailedEditFacts): { state: string; advice: string } {
	const { edit, editId, end, history, pendingAgainSeconds, waitedSeconds } = report;
	const reason = edit?.failureReason && withoutId(edit.failureReason, editId);
	const status = history.at(-1)?.status;
	const waited = `after ${waitedSeconds} s of waiting`;
	const pending = mayBeUnknown(status ?? '') ? ` ${PENDING_NOTE}` : '';
	const lookUp = 'Fetch it later with an Audio Editing Get Result node and its ID.';
	switch (end) {
		case 'failed':
			return {
				state: failedEditText(reason),
				advice: failedEditAdvice(reason, facts),
			};
		case 'abandoned':
			return {
				state: `The execution was stopped while the edit had status ${status ?? 'unknown'}`,
				advice: `The edit keeps running on the service. ${lookUp}`,
			};
		case 'vanished':
			return {
				state: `The edit may have been deleted or may have expired: it was ${history.at(-2)?.status}, and has been PENDING again for ${pendingAgainSeconds} s`,
				advice:
					'The service also reports PENDING for an unknown ID. Look for the edit on the service. If it is there, it may be back in the queue: wait for it again. If not, create a new edit, which is charged.',
			};
		default:
			if (edit && reviewUrlIn(edit) !== undefined) {
				return {
					state: `The edit waits${until(reviewEndIn(edit))} for a person to approve its cuts`,
					advice: `${WHERE_TO_REVIEW} ${lookUp}`,
				};
			}
			return {
				state: `The edit did not finish in time: its status was still ${status ?? 'unknown'} ${waited}`,
				advice: `The edit keeps running on the service. Raise 'Maximum Wait (Minutes)', or set 'When Time Is Up' to 'Pass On as Still Running'. ${lookUp}${pending}`,
			};
	}
}

function troublesText({ troubles }: WaitReport): string {
	const seen = Object.entries(troubles).map(([cause, count]) => `${cause} (×${count})`);
	return seen.length === 0 ? '' : `Failed status calls: ${seen.join(', ')}.`;
}

/** The last statuses of other edits of the same wait: of up to three in the text, of all in the details. */
export function noteOnOthers(run: NodeRun, others: readonly EndedWait[]): EndingNote {
	const states = others.map((report) => stateText(run, report));
	const text = states.length === 0 ? '' : `The other edits: ${listed(states, MAX_NAMED)}.`;
	return { text, details: states.length > MAX_NAMED ? inLines(states) : [] };
}

/** An edit with its recording and its last status. */
export function stateText(run: NodeRun, { editId, history }: EndedWait): string {
	return run.labelOf(editId, history.at(-1)?.status ?? 'not polled yet');
}
