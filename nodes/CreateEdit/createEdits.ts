import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';

import { asNodeError, failedItem, mayContinue, withoutPassingOn } from '../shared/items';
import { filesOf } from '../shared/inputItem';
import { listed } from '../shared/listed';
import { Batch, sayGoingOn } from '../shared/progress';
import { openService } from '../shared/service';
import { type PreparedRequest, readRequest } from './readRequest';
import { SubmissionLedger } from './submissionLedger';
import { submitEdit } from './submitEdit';

/** One recording: the items that are its tracks, and its request or what is wrong with it. */
interface Recording {
	readonly itemIndices: readonly number[];
	readonly prepared?: PreparedRequest;
	readonly error?: NodeApiError | NodeOperationError;
}

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
	const faulty = recordings.find(({ error }) => error !== undefined);
	if (faulty?.error !== undefined && !context.continueOnFail()) throw faulty.error;
	const { client } = await openService(context);
	const ledger = new SubmissionLedger(context);
	const batch = new Batch(context, 'submitted', 'edits', recordings.length);
	const results: INodeExecutionData[] = [];
	for (const { itemIndices, prepared, error } of recordings) {
		const pairedItem = itemIndices.map((item) => ({ item }));
		const paired = { pairedItem: pairedItem.length === 1 ? pairedItem[0] : pairedItem };
		try {
			if (prepared === undefined) throw asNodeError(context.getNode(), error, itemIndices[0]);
			const json = await submitEdit(context, client, ledger, prepared);
			results.push({ json, ...filesOf(context, itemIndices), ...paired });
			batch.step();
		} catch (thrown) {
			const nodeError = asNodeError(context.getNode(), thrown, itemIndices[0]);
			if (!mayContinue(context)) throw withAcceptedIds(nodeError, ledger);
			results.push({ ...failedItem(nodeError, itemIndices[0]), ...paired });
		}
	}
	return results;
}

function readRecordings(context: IExecuteFunctions): Recording[] {
	const all = context.getInputData().map((_item, index) => index);
	const areTracks = context.getNodeParameter('itemsAre', 0) === 'tracks';
	const groups = areTracks ? [all] : all.map((index) => [index]);
	return groups.map((itemIndices) => {
		try {
			return { itemIndices, prepared: readRequest(context, itemIndices) };
		} catch (error) {
			return { itemIndices, error: asNodeError(context.getNode(), error, itemIndices[0]) };
		}
	});
}

/** n8n stores an error several times; the log names every edit when it is created. */
const EDITS_NAMED_AT_MOST = 100;

/** The error that ends the node also names the edits that were charged before it. */
function withAcceptedIds(
	error: NodeApiError | NodeOperationError,
	ledger: SubmissionLedger,
): NodeApiError | NodeOperationError {
	const editIds = ledger.acceptedEditIds();
	if (editIds.length > 0) {
		const named = listed(editIds, EDITS_NAMED_AT_MOST);
		const note = `Created in this run, and charged: ${named}. n8n's log names each edit.`;
		error.description = [error.description, note].filter(Boolean).join(' ');
	}
	return error;
}
