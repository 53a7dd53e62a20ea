import type { INode } from 'n8n-workflow';

import { mayBeUnknown } from '../../api/contract';
import { pathId, sanitizeText } from '../../api/sanitizeText';
import { type NodeError, asStopped, operationError, toNodeError } from '../shared/errors/errors';
import type { WaitReport } from '../../waiting/waitReport';
import {
	type FailedEditFacts,
	PENDING_NOTE,
	failedEditAdvice,
} from '../shared/errors/failureTexts';
import { inLines, listed } from '../shared/form/texts';

/** A longer error is hard to read, and n8n stores it several times. */
const OTHERS_NAMED_AT_MOST = 10;

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
		const doing = `wait for ${shown === '' ? 'the edit' : `edit ${shown}`}`;
		return toNodeError(node, failure, { itemIndex, doing, note });
	}
	const { state, advice } = textFor(report, facts);
	const message = `Edit ${editId} ${state} [item ${itemIndex}]`;
	const description = [advice, note].filter(Boolean).join(' ');
	const error = operationError(node, message, { itemIndex, description });
	return report.end === 'abandoned' ? asStopped(error) : error;
}

function textFor(report: WaitReport, facts?: FailedEditFacts): { state: string; advice: string } {
	const { edit, editId, end, history, pendingAgainSeconds, waitedSeconds } = report;
	const status = history.at(-1)?.status;
	const waited = `after ${waitedSeconds} s of waiting`;
	const pending = mayBeUnknown(status ?? '') ? ` ${PENDING_NOTE}` : '';
	const lookUp = `Fetch it later with a Get Result node and the ID ${editId}.`;
	switch (end) {
		case 'failed':
			return {
				state: `ended with status ${status} ${waited}`,
				advice: failedEditAdvice(edit?.failureReason, facts),
			};
		case 'abandoned':
			return {
				state: `had status ${status ?? 'unknown'} when the execution was stopped ${waited}`,
				advice: `The edit keeps running on the service. ${lookUp}`,
			};
		case 'vanished':
			return {
				state: `may have been deleted or may have expired: it was ${history.at(-2)?.status}, and has been PENDING again for ${pendingAgainSeconds} s`,
				advice: `The service also reports PENDING for an unknown ID. Look for edit ${editId} on the service. If it is there, it may be back in the queue: wait for it again. If not, create a new edit, which is charged.`,
			};
		default:
			return {
				state: `did not finish in time: its status was still ${status ?? 'unknown'} ${waited}`,
				advice: `The edit keeps running on the service. Raise 'Maximum Wait (Minutes)', or set 'When Time Is Up' to 'Pass On as Still Running'. ${lookUp}${pending}`,
			};
	}
}

function troublesText({ troubles }: WaitReport): string {
	const seen = Object.entries(troubles).map(([cause, count]) => `${cause} (×${count})`);
	return seen.length === 0 ? '' : `Failed status calls: ${seen.join(', ')}.`;
}

/** The last status of up to ten other edits of the same wait. */
export function othersText(others: readonly WaitReport[]): string {
	if (others.length === 0) return '';
	const more = others.length > OTHERS_NAMED_AT_MOST ? " n8n's log names them all." : '';
	return `The other edits: ${listed(others.map(stateText), OTHERS_NAMED_AT_MOST)}.${more}`;
}

/** Log lines that name the other edits; none if the error already names them all. */
export function othersInLog(others: readonly WaitReport[]): string[] {
	if (others.length <= OTHERS_NAMED_AT_MOST) return [];
	return inLines(others.map(stateText)).map((line) => `Audio editing: the wait ended for ${line}`);
}

export function stateText({ editId, history }: WaitReport): string {
	return `${editId} (${history.at(-1)?.status ?? 'not polled yet'})`;
}
