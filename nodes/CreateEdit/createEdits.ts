import { filesOf } from '../shared/form/parameters';
import { sayGoingOn } from '../shared/run/progress';
import type { NodeWork } from '../shared/run/runNode';
import { isSkipped, skippedItem } from '../shared/skip/skipEdited';
import type { PreparedRequest } from './prepareEdit';
import { readRequest } from './readRequest';
import { refuseOverspending } from './submission/notSent';
import {
	acceptedNote,
	recordingOf,
	reviewUrlOf,
	submitEdit,
	submittedBefore,
} from './submission/submitEdit';
import type { NodeRun } from '../shared/run/nodeRun';

/**
 * Submits the recordings of all items. The runner reads every form before the first request, so that a
 * mistake in the last item cannot end the node after the other edits were charged.
 */
export function createWork(run: NodeRun): NodeWork<PreparedRequest> {
	return {
		groups: recordings(run),
		read: (itemIndices) => readRequest(run, itemIndices),
		begin: (prepared) => refuseOverspending(run, prepared),
		handle: (prepared) => createEdit(run, prepared),
		known: (_itemIndex, request) =>
			request?.sourceFileName ? { sourceFileName: request.sourceFileName } : {},
		// n8n stores the ledger with the execution, so a retry finds it.
		onRetry:
			"Edits that already exist are not charged again, unless you change the edit's file or options.",
		endingNote: (itemIndex) => acceptedNote(run, itemIndex),
		progress: ['submitted', 'edits'],
		finish: () => sayWhatGoesOn(run),
	};
}

/** Submits one recording and returns its output, with the edit's ID, or skips a recording already edited. */
async function createEdit(run: NodeRun, prepared: PreparedRequest) {
	const { itemIndex, itemIndices, skip } = prepared;
	const files = filesOf(run, itemIndices);
	// A recording must not stay uncertain because the credential cannot be used.
	await run.openService();
	const earlier = submittedBefore(run, prepared);
	if (earlier === undefined && skip && (await isSkipped(run, itemIndex, skip))) {
		const item = skippedItem(skip, recordingOf(prepared), files);
		// An agent's model reads the first output only.
		return run.isTool ? [[item]] : [[], [item]];
	}
	const created = earlier ?? (await submitEdit(run, prepared));
	const { editId, sent, submittedAt } = created;
	const reviewUrl = await reviewUrlOf(run, created);
	return [[{ json: { editId, ...sent, submittedAt, ...(reviewUrl && { reviewUrl }) }, ...files }]];
}

/** One recording for each item, or a single one with all items as its tracks. */
function recordings(run: NodeRun): number[][] {
	const all = run.items.map((_item, index) => index);
	const areTracks = run.parameter('itemsAre', 0) === 'tracks';
	return areTracks ? [all] : all.map((index) => [index]);
}

/** After Stop, logs the edits that still run on the service. */
function sayWhatGoesOn(run: NodeRun): void {
	if (!run.isStopped) return;
	const editIds = run.ledger.acceptedEditIds();
	const edits = editIds.map((editId) => run.labelOf(editId));
	sayGoingOn(run, edits, run.ledger.uncertainSubmissions());
}
