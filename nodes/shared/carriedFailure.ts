import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type NodeError, errorFromJson, isFailureJson } from './errors';
import { isFieldError, jsonOf } from './parameters';
import { isToolUse } from './toolUse';

const NAMES_ITEM = / \[item \d+\]$/;

/** Errors that items came in with. */
const carriedErrors = new WeakSet<Error>();

/**
 * Throws the failure that an item came in with, if one of our nodes failed before: the item leaves with
 * that failure and no new cause. Older node versions process such items, and workflows rely on that.
 */
export function refuseFailed(context: IExecuteFunctions, itemIndex: number): void {
	const carried = carriedError(context, itemIndex);
	if (carried !== undefined && refusesFailed(context)) throw carried;
}

/**
 * The failure that an item came in with, if that is why it failed now: the node refused the item for it,
 * or a field is empty that the failed node would have filled. Otherwise undefined.
 */
export function carriedCause(
	context: IExecuteFunctions,
	itemIndex: number,
	thrown: unknown,
): NodeError | undefined {
	const isCarried = thrown instanceof Error && carriedErrors.has(thrown);
	return isCarried || isFieldError(thrown) ? carriedError(context, itemIndex) : undefined;
}

/** From this version on a node refuses items that failed before; 2 for nodes that are not listed. */
const REFUSES_FAILED_SINCE: Readonly<Record<string, number>> = { waitForEdit: 3 };

function refusesFailed(context: IExecuteFunctions): boolean {
	const { type, typeVersion } = context.getNode();
	const name = type.slice(packageOf(type).length);
	return typeVersion >= (REFUSES_FAILED_SINCE[name] ?? 2);
}

function carriedError(context: IExecuteFunctions, itemIndex: number): NodeError | undefined {
	const item = context.getInputData()[itemIndex];
	// What an agent passes to its tool never failed.
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
