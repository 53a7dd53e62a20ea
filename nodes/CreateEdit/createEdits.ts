import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { carriedCause, refuseFailed } from '../shared/carriedFailure';
import { FailFast } from '../shared/failFast';
import { asItemError, failedItem } from '../shared/failedItems';
import { filesOf } from '../shared/inputItem';
import { mayContinue, withoutPassingOn } from '../shared/items';
import { listed } from '../shared/listed';
import { Batch, sayGoingOn } from '../shared/progress';
import { withWayToResume } from '../shared/resuming';
import { openService } from '../shared/service';
import { type PreparedRequest, readRequest } from './readRequest';
import { SubmissionLedger } from './submissionLedger';
import { submitEdit } from './submitEdit';

/** One recording: the items that are its tracks, and its request or what is wrong with it. */
type Recording = { readonly itemIndices: readonly number[] } & (
	| { readonly prepared: PreparedRequest }
	| { readonly error: NodeApiError | NodeOperationError }
);

/**
 * Submits the recordings of all items. Every form is read before the first request is sent, so that a
 * mistake in the last item does not end the node when the others are already paid for.
 */
export async function createEdits(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	try {
		return await withoutPassingOn(context, async () => await submitAll(context));
	} finally {
		if (context.getExecutionCancelSignal()?.aborted) {
			const ledger = new SubmissionLedger(context);
			sayGoingOn(context, ledger.acceptedEditIds(), ledger.uncertainSubmissions());
		}
	}
}

async function submitAll(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const recordings = readRecordings(context);
	const faulty = recordings.find((recording) => 'error' in recording);
	if (faulty !== undefined && !context.continueOnFail()) {
		throw withWayToResume(context, faulty.error, ON_RETRY);
	}
	const { client } = await openService(context);
	const ledger = new SubmissionLedger(context);
	const batch = new Batch(context, 'submitted', 'edits', recordings.length);
	const failFast = new FailFast();
	const results: INodeExecutionData[] = [];
	for (const recording of recordings) {
		const { itemIndices } = recording;
		const pairedItem = itemIndices.map((item) => ({ item }));
		const paired = { pairedItem: pairedItem.length === 1 ? pairedItem[0] : pairedItem };
		const fail = (error: NodeApiError | NodeOperationError, known?: IDataObject) => {
			if (!mayContinue(context)) throw withAcceptedIds(context, error, ledger);
			results.push(Object.assign(failedItem(context, error, itemIndices[0], known), paired));
		};
		if ('error' in recording) {
			fail(recording.error);
			continue;
		}
		try {
			const { prepared } = recording;
			const json = await submitEdit(context, { client, ledger, failFast }, prepared);
			results.push({ json, ...filesOf(context, itemIndices), ...paired });
			batch.step();
		} catch (thrown) {
			const known = sourceOf(recording.prepared);
			fail(asItemError(context, thrown, itemIndices[0], known), known);
		}
	}
	return results;
}

/** What n8n's retry of the execution repeats: the ledger lives in the execution's data. */
const ON_RETRY = 'Edits that were created are not charged again.';

function sourceOf({ sourceFileName }: PreparedRequest): IDataObject {
	return sourceFileName === '' ? {} : { sourceFileName };
}

function readRecordings(context: IExecuteFunctions): Recording[] {
	const all = context.getInputData().map((_item, index) => index);
	const areTracks = context.getNodeParameter('itemsAre', 0) === 'tracks';
	const groups = areTracks ? [all] : all.map((index) => [index]);
	return groups.map((itemIndices) => {
		// An item that failed before is not a track, and its recording would be charged without it.
		try {
			for (const index of itemIndices) refuseFailed(context, index);
			return { itemIndices, prepared: readRequest(context, itemIndices) };
		} catch (thrown) {
			const causes = itemIndices.map((index) => carriedCause(context, index, thrown));
			const carried = causes.find((cause) => cause !== undefined);
			return { itemIndices, error: carried ?? asItemError(context, thrown, itemIndices[0]) };
		}
	});
}

/** n8n stores an error several times; the log names every edit when it is created. */
const EDITS_NAMED_AT_MOST = 100;

/** The error that ends the node also names the edits that were charged before it. */
function withAcceptedIds(
	context: IExecuteFunctions,
	error: NodeApiError | NodeOperationError,
	ledger: SubmissionLedger,
): NodeApiError | NodeOperationError {
	const editIds = ledger.acceptedEditIds();
	if (editIds.length > 0) {
		const named = listed(editIds, EDITS_NAMED_AT_MOST);
		const note = `Created in this run, and charged: ${named}. n8n's log names each edit.`;
		error.description = [error.description, note].filter(Boolean).join(' ');
	}
	return withWayToResume(context, error, ON_RETRY);
}
