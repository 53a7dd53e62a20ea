import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { errorWith } from '../../api/errors';
import { failureJson } from '../../api/failureJson';
import { sanitizeText } from '../../api/sanitizeText';
import { carriedCause } from './carriedFailure';
import { sourceFileOf } from './inputItem';

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
 * An error as the one of an item: the failure that the item came in with, where that is the cause. Else
 * the message also names the source file, where that is known.
 *
 * @param known what is known of the item beside its input, such as its `sourceFileName`
 */
export function asItemError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
	known: IDataObject = {},
): NodeApiError | NodeOperationError {
	const carried = carriedCause(context, itemIndex, error);
	if (carried !== undefined) return carried;
	const nodeError = asNodeError(context.getNode(), error, itemIndex);
	const { message, description } = nodeError;
	const { sourceFileName } = { ...sourceFileOf(context, itemIndex), ...known };
	const name = typeof sourceFileName === 'string' ? sanitizeText(sourceFileName) : '';
	if (name === '' || message.includes(name)) return nodeError;
	const atItem = ` [item ${itemIndex}]`;
	const about = message.endsWith(atItem) ? message.slice(0, -atItem.length) : message;
	const whole = `${about} (source file '${name}')${atItem}`;
	if (isOfItem(nodeError, itemIndex)) {
		nodeError.message = whole;
		return nodeError;
	}
	const status = nodeError instanceof NodeApiError ? nodeError.httpCode : null;
	const options = { description: description ?? undefined, itemIndex };
	return errorWith(context.getNode(), whole, options, status ?? undefined);
}

/** Whether an error is this item's; all items share that of a credential that cannot be used. */
export function isOfItem(error: unknown, itemIndex: number): boolean {
	const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
	return !isNodeError || error.context.itemIndex === itemIndex;
}

/**
 * The item that stands for a failure when the workflow goes on. n8n's error output looks at
 * `item.error`, and adds the fields of the input. The json never has a key `error` at its top: n8n's
 * Retry On Fail would run the whole node again, and on Create Edit that would mean paying again.
 *
 * n8n replaces the json of an item with an `error` by `{ error: message }`. A property that is not
 * enumerable is seen by the routing and lost in the copy that it makes, so that on the error output the
 * json stays. n8n 1.68 writes to it. On the regular output nothing copies the item, and n8n shows the
 * message alone. Agents before version 3 read the json.
 */
export function failedItem(
	context: IExecuteFunctions,
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
	known: IDataObject = {},
): INodeExecutionData {
	const json = {
		...sourceFileOf(context, itemIndex),
		...known,
		failure: failureJson(error),
	};
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	const enumerable = context.getNode().onError !== 'continueErrorOutput';
	return Object.defineProperty(item, 'error', { value: error, enumerable, writable: true });
}
