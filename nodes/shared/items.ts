import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { refuseFailed } from './carriedFailure';
import { asItemError, asNodeError, failedItem, isOfItem } from './failedItems';
import { tellHints } from './hints';
import { givenOrInherited } from './parameters';
import { RETRY_READS_AGAIN, withWayToResume } from './resuming';

/** Says what a failed item's output should still carry, such as its edit id. */
type Known = (itemIndex: number) => IDataObject;

/** How items are handled. */
interface Handling {
	readonly known?: Known;
	/** What n8n's retry of the execution repeats and costs, where the node does more than read. */
	readonly onRetry?: string;
	/** Says how many items are under work at the same time, from 1. */
	readonly atOnce?: () => number;
}

/**
 * Does a node's work. n8n takes the input for the output, as if all had gone well, when a node that is
 * set to continue throws: Delete would then delete what Get Result never fetched. So what would end
 * such a node is the failure of each of its items instead. A stopped execution ends in any case.
 * What was to be hinted at is told when the work is over.
 */
export async function withoutPassingOn(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[]>,
	known?: Known,
): Promise<INodeExecutionData[]> {
	try {
		return await work();
	} catch (error) {
		if (!mayContinue(context)) throw asNodeError(context.getNode(), error, 0);
		return context.getInputData().map((_item, itemIndex) => {
			const rest = knownOrNothing(known, itemIndex);
			const nodeError = asItemError(context, error, itemIndex, rest);
			return failedItem(context, nodeError, itemIndex, rest);
		});
	} finally {
		tellHints(context);
	}
}

/** Whether a failure is an item's own and the others go on. */
export function mayContinue(context: IExecuteFunctions): boolean {
	return context.continueOnFail() && context.getExecutionCancelSignal()?.aborted !== true;
}

/** What is known of an item is often what could not be read. */
function knownOrNothing(known: Known | undefined, itemIndex: number): IDataObject {
	try {
		return known?.(itemIndex) ?? {};
	} catch {
		return {};
	}
}

/**
 * Handles the items in their order, and gives the results in it, one or more of each, paired with
 * their item. One bad item never sinks the others when the node is set to continue; otherwise its
 * error ends the node, once the items that were already under work are done. A stopped execution ends
 * in any case.
 */
export async function handleEachItem(
	context: IExecuteFunctions,
	handle: (itemIndex: number) => Promise<INodeExecutionData | INodeExecutionData[]>,
	handling: Handling = {},
): Promise<INodeExecutionData[]> {
	const work = async () => await handleItems(context, handle, handling);
	return await withoutPassingOn(context, work, handling.known);
}

async function handleItems(
	context: IExecuteFunctions,
	handle: (itemIndex: number) => Promise<INodeExecutionData | INodeExecutionData[]>,
	{ known, atOnce, onRetry = RETRY_READS_AGAIN }: Handling,
): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	const results: INodeExecutionData[][] = [];
	let next = 0;
	let fatal: NodeApiError | NodeOperationError | undefined;
	const work = async () => {
		while (next < count && fatal === undefined) {
			const itemIndex = next++;
			try {
				refuseFailed(context, itemIndex);
				const made = [await handle(itemIndex)].flat();
				results[itemIndex] = made.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
			} catch (error) {
				const rest = knownOrNothing(known, itemIndex);
				const nodeError = asItemError(context, error, itemIndex, rest);
				if (mayContinue(context)) {
					results[itemIndex] = [failedItem(context, nodeError, itemIndex, rest)];
				} else {
					const isOwn = isOfItem(error, itemIndex);
					fatal ??= isOwn ? withWayToResume(context, nodeError, onRetry) : nodeError;
				}
			}
		}
	};
	const workers = Math.min(atOnce?.() ?? 1, count);
	await Promise.all(Array.from({ length: workers }, work));
	if (fatal !== undefined) throw fatal;
	return results.flat();
}

/** The edit id of an item as text for outputs and errors; empty where there is none to name. */
export function knownEditId(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const editId = givenOrInherited(context, itemIndex, 'editId', 'editId');
	return typeof editId === 'string' && editId !== '' ? { editId } : {};
}
