import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { filesOf } from '../shared/inputItem';
import { sayGoingOn } from '../shared/progress';
import type { NodeWork } from '../shared/runNode';
import { openService } from '../shared/service';
import { isSkipped, skippedItem } from '../shared/skipEdited';
import { isToolUse } from '../shared/toolUse';
import { refuseWhileDelivering } from './delivery';
import type { PreparedRequest } from './prepareEdit';
import { readRequest } from './readRequest';
import { ledgerOf } from './submissionLedger';
import { acceptedNote, recordingOf, submitEdit, submittedBefore } from './submitEdit';

/**
 * Submits the recordings of all items. The runner reads every form before the first request, so that a
 * mistake in the last item cannot end the node after the other edits were charged.
 */
export const CREATE_WORK: NodeWork<PreparedRequest> = {
	groups: recordings,
	read: readRequest,
	handle: createEdit,
	known: (_context, _itemIndex, request) =>
		request?.sourceFileName ? { sourceFileName: request.sourceFileName } : {},
	// n8n stores the ledger with the execution, so a retry finds it.
	onRetry:
		'Edits that were created are not charged again, unless you change the file or the options of the edit.',
	endingNote: acceptedNote,
	progress: ['submitted', 'edits'],
	finish: sayWhatGoesOn,
};

/** Submits one recording and returns its output, with the edit's ID, or skips a recording already edited. */
async function createEdit(
	context: IExecuteFunctions,
	prepared: PreparedRequest,
): Promise<INodeExecutionData[][]> {
	const { itemIndex, itemIndices, skip, delivery } = prepared;
	const files = filesOf(context, itemIndices);
	// A recording must not stay uncertain because the credential cannot be used.
	await openService(context);
	const earlier = submittedBefore(context, prepared);
	// A retry of the node must find its own edit first.
	if (earlier === undefined && delivery) refuseWhileDelivering(context, itemIndex);
	if (earlier === undefined && skip && (await isSkipped(context, itemIndex, skip))) {
		const item = skippedItem(skip, recordingOf(prepared), files);
		// An agent's model reads the first output only.
		return isToolUse(context) ? [[item]] : [[], [item]];
	}
	const { editId, sent, submittedAt } = earlier ?? (await submitEdit(context, prepared));
	return [[{ json: { editId, ...sent, submittedAt }, ...files }]];
}

/** One recording for each item, or a single one with all items as its tracks. */
function recordings(context: IExecuteFunctions): number[][] {
	const all = context.getInputData().map((_item, index) => index);
	const areTracks = context.getNodeParameter('itemsAre', 0) === 'tracks';
	return areTracks ? [all] : all.map((index) => [index]);
}

/** After Stop, logs the edits that still run at the service. */
function sayWhatGoesOn(context: IExecuteFunctions): void {
	if (!context.getExecutionCancelSignal()?.aborted) return;
	const ledger = ledgerOf(context);
	sayGoingOn(context, ledger.acceptedEditIds(), ledger.uncertainSubmissions());
}
