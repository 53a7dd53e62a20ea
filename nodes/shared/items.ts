import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { failureJson } from '../../api/errors';

/** An error as n8n wants it: with the node and the item it belongs to. */
export function asNodeError(
	node: INode,
	error: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const cause = error instanceof Error ? error : String(error);
	return new NodeOperationError(node, cause, { itemIndex });
}

/**
 * The item that stands for a failure when the workflow goes on. The error sits on `item.error`, which
 * is what n8n's error output looks at. The json never has a key `error` at its top: n8n's Retry On
 * Fail would run the whole node again, and on Create Edit that would mean paying again. (n8n 2.41
 * then shows `{ error: message }` in place of this json, so messages name the edit.)
 */
export function failedItem(
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
	known: IDataObject = {},
): INodeExecutionData {
	const json = { ...known, failure: failureJson(error) };
	return { json, error, pairedItem: { item: itemIndex } };
}

/** How items are handled. */
interface Handling {
	/** What the failed item's output should still say, such as its edit id. */
	readonly known?: (itemIndex: number) => IDataObject;
	/** How many items are under work at the same time, from 1. */
	readonly atOnce?: number;
}

/**
 * Handles the items in their order, and gives the results in it, one or more of each. One bad item never sinks the others
 * when the node is set to continue; otherwise its error ends the node, once the items that were
 * already under work are done. A stopped execution ends in any case.
 */
export async function handleEachItem(
	context: IExecuteFunctions,
	handle: (itemIndex: number) => Promise<INodeExecutionData | INodeExecutionData[]>,
	{ known = () => ({}), atOnce = 1 }: Handling = {},
): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	const results: INodeExecutionData[][] = [];
	let next = 0;
	let fatal: NodeApiError | NodeOperationError | undefined;
	const work = async () => {
		while (next < count && fatal === undefined) {
			const itemIndex = next++;
			try {
				const made = [await handle(itemIndex)].flat();
				results[itemIndex] = made.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
			} catch (error) {
				const nodeError = asNodeError(context.getNode(), error, itemIndex);
				const isStopped = context.getExecutionCancelSignal()?.aborted;
				if (isStopped || !context.continueOnFail()) fatal ??= nodeError;
				else results[itemIndex] = [failedItem(nodeError, itemIndex, known(itemIndex))];
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work));
	if (fatal !== undefined) throw fatal;
	return results.flat();
}

/** The edit id of an item as text for outputs and errors; empty where there is none to name. */
export function knownEditId(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const editId: unknown = context.getNodeParameter('editId', itemIndex, '');
	return typeof editId === 'string' && editId !== '' ? { editId } : {};
}

/** A hint on the node's output, where the host knows hints. */
export function addHint(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}
