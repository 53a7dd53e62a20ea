import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { errorFromJson, isFailureJson } from '../../api/failureJson';
import { isFieldError, jsonOf } from './parameters';
import { isToolUse } from './isToolUse';

const NAMES_ITEM = / \[item \d+\]$/;

/** Errors that items came in with. */
const carriedErrors = new WeakSet<Error>();

/**
 * Ends the work on an item that comes in with a failure of one of our nodes: it leaves with that
 * failure, and with no new cause. Node versions before {@link LEAVES_FAILED_ALONE_SINCE} take such
 * items, as workflows rely on that.
 *
 * @throws the failure that the item came in with
 */
export function refuseFailed(context: IExecuteFunctions, itemIndex: number): void {
	const carried = carriedError(context, itemIndex);
	if (carried !== undefined && leavesFailedAlone(context)) throw carried;
}

/**
 * The failure that an item came in with, where that is why the item now failed: it was refused for it,
 * or a field is empty that the failed node would have filled. Otherwise undefined.
 */
export function carriedCause(
	context: IExecuteFunctions,
	itemIndex: number,
	thrown: unknown,
): NodeApiError | NodeOperationError | undefined {
	const isCarried = thrown instanceof Error && carriedErrors.has(thrown);
	return isCarried || isFieldError(thrown) ? carriedError(context, itemIndex) : undefined;
}

/** From which version on a node leaves alone items that failed before; 2 for nodes that are not listed. */
const LEAVES_FAILED_ALONE_SINCE: Readonly<Record<string, number>> = { waitForEdit: 3 };

function leavesFailedAlone(context: IExecuteFunctions): boolean {
	const { type, typeVersion } = context.getNode();
	const name = type.slice(packageOf(type).length);
	return typeVersion >= (LEAVES_FAILED_ALONE_SINCE[name] ?? 2);
}

function carriedError(
	context: IExecuteFunctions,
	itemIndex: number,
): NodeApiError | NodeOperationError | undefined {
	const item = context.getInputData()[itemIndex];
	// What an agent passes to its tool is no item that failed.
	if (item === undefined || isToolUse(context)) return undefined;
	const json = jsonOf(context, itemIndex);
	const { failure = regularOutputFailure(context, json, item.error) } = json;
	// Items of other nodes may have a field of this name; our messages name the item.
	if (!isFailureJson(failure) || !NAMES_ITEM.test(failure.message)) return undefined;
	const error = errorFromJson(context.getNode(), failure, itemIndex);
	carriedErrors.add(error);
	return error;
}

/** With On Error = Continue n8n leaves `{ error: message }` of a failed item's json. */
function regularOutputFailure(
	context: IExecuteFunctions,
	json: IDataObject,
	error: INodeExecutionData['error'],
): unknown {
	const { error: message } = json;
	const isLone = typeof message === 'string' && Object.keys(json).length === 1;
	if (!isLone || !NAMES_ITEM.test(message) || !isAfterOurs(context)) return undefined;
	const { description, httpCode } = { httpCode: null, description: null, ...error };
	return { message, ...(description && { description }), ...(httpCode && { httpCode }) };
}

function isAfterOurs(context: IExecuteFunctions): boolean {
	const { name, type } = context.getNode();
	const ours = packageOf(type);
	return context.getParentNodes(name).some((parent) => parent.type.startsWith(ours));
}

/** The part of a node's type that names its package, with the dot. */
function packageOf(type: string): string {
	return type.slice(0, type.lastIndexOf('.') + 1);
}
