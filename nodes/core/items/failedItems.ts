import {
	type IDataObject,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { carriedCause } from './carriedFailure';
import {
	type NodeError,
	asNodeError,
	errorFromJson,
	failureBehind,
	failureJson,
} from '../errors/errors';
import { recordingNameOf, withoutItemNumber } from './recordingName';
import { isRefusedKey } from '../run/service';
import { sourceNamesOf } from '../files/sourceNames';
import { withFirst } from '../output/firstFields';
import type { NodeRun } from '../run/nodeRun';

/**
 * The error of an item: the item's earlier failure, if that is the cause. Otherwise its message begins with
 * the name of the recording, if it is known: people often see one line only.
 *
 * @param known what is known of the item beside its input, such as its `sourceFileName`
 */
export function asItemError(
	run: NodeRun,
	error: unknown,
	itemIndex: number,
	known: IDataObject = {},
): NodeError {
	const carried = carriedCause(run, itemIndex, error);
	if (carried !== undefined) return carried;
	const nodeError = asNodeError(run.node, error, itemIndex);
	const { message } = nodeError;
	const name = recordingNameOf(run, itemIndex, known);
	if (name === '' || message.startsWith(name)) return nodeError;
	const atItem = ` [item ${itemIndex}]`;
	const about = message.endsWith(atItem) ? message.slice(0, -atItem.length) : message;
	const whole = `${named(name, withoutItemNumber(about))}${atItem}`;
	if (isOfItem(nodeError, itemIndex)) {
		nodeError.message = whole;
		return nodeError;
	}
	return errorFromJson(run.node, { ...failureJson(nodeError), message: whole }, itemIndex);
}

/** What our messages say of a recording whose name they do not know. */
const NAMELESS = 'The recording ';

/** A message that begins with the name of its recording. */
function named(name: string, message: string): string {
	for (const start of [NAMELESS, `The file '${name}' `]) {
		if (message.startsWith(start)) return `${name} ${message.slice(start.length)}`;
	}
	const isSentence = /^[A-Z][a-z]*\b/.test(message);
	const rest = isSentence ? `${message[0].toLowerCase()}${message.slice(1)}` : message;
	return `${name}: ${rest}`;
}

/** Whether an error is this item's. All items share the error of an unusable credential. */
export function isOfItem(error: unknown, itemIndex: number): boolean {
	const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
	return !isNodeError || error.context.itemIndex === itemIndex;
}

/**
 * The output item of a failed item. n8n's error output looks at `item.error` and adds the fields of the
 * input. The json never has the field `error`: n8n's Retry On Fail would run the whole node again, and
 * Create Edit would be charged again.
 *
 * On the error output, n8n replaces the json of an item with an `error` by `{ error: message }`. It sees
 * a property that is not enumerable when it routes, and loses it when it copies, so the json stays.
 * On the regular output n8n keeps only the message, which therefore contains the description. Agents before
 * version 3 read the json.
 */
export function failedItem(
	run: NodeRun,
	error: NodeError,
	itemIndex: number,
	known: IDataObject = {},
): INodeExecutionData {
	const names = sourceNamesOf(run, itemIndex);
	const json = { ...withFirst(known, { ...names }), failure: failureJson(error) };
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	const enumerable = run.node.onError !== 'continueErrorOutput';
	// Items may share the error, so each changes a copy.
	const own = () => withDescription(errorFromJson(run.node, json.failure, itemIndex));
	const value = enumerable ? own() : error;
	return Object.defineProperty(item, 'error', { value, enumerable, writable: true });
}

/**
 * The error that ends a node with several items, with how to get the results of the other items. It
 * stays as it is if the user must fix the cause first, such as a refused key.
 *
 * @param onRetry what a retry repeats and what it costs, a sentence
 * @param wayToOthers what to do instead of a retry
 */
export function withWayToResume(
	run: NodeRun,
	error: NodeError,
	onRetry = 'Nothing is charged again.',
	wayToOthers = `To get the results of the other items: set On Error of this node to 'Continue (using error output)' and save the workflow. Then open this execution under Executions and retry it with the currently saved workflow: n8n continues from this node. ${onRetry}`,
): NodeError {
	if (run.items.length < 2 || run.isStopped || run.isTool) return error;
	const failure = failureBehind(error);
	if (failure !== undefined && (isRefusedKey(failure) || failure.kind === 'unreachable')) {
		return error;
	}
	error.description = [error.description, wayToOthers].filter(Boolean).join(' ');
	return error;
}

/** Adds the description to the message, for where n8n passes on nothing else: an agent's model, for example. */
export function withDescription(error: NodeError): NodeError {
	const { description, message } = error;
	if (description && !message.includes(description)) {
		error.message = `${message.replace(/\.$/, '')}. ${description}`;
	}
	return error;
}
