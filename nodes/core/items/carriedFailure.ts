import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { sanitizeText } from '../../../api/sanitizeText';
import { type NodeError, errorFromJson, isFailureJson } from '../errors/errors';
import { isFieldError } from '../form/fieldError';
import type { NodeRun } from '../run/nodeRun';

/** A message of ours: nothing before its item's number has such a number, and a description may follow it. */
const OWN_MESSAGE = / \[item \d+\](?:$|\. (?=[^]))/;

const carriedErrors = new WeakSet<Error>();

/**
 * The failure that an item carries, if that is why it failed now: the node refused the item, or a field
 * is empty that the failed node would have filled. Otherwise undefined.
 */
export function carriedCause(
	run: NodeRun,
	itemIndex: number,
	thrown: unknown,
): NodeError | undefined {
	const isCarried = thrown instanceof Error && carriedErrors.has(thrown);
	return isCarried || isFieldError(thrown) ? carriedError(run, itemIndex) : undefined;
}

/** The failure that an item carries from a node of ours before; undefined if it carries none. */
export function carriedError(run: NodeRun, itemIndex: number): NodeError | undefined {
	const item = run.items[itemIndex];
	// What an agent passes to its tool carries no failure.
	if (item === undefined || run.isTool) return undefined;
	const { json } = item;
	const { failure = regularOutputFailure(run, json, item.error) } = json;
	// Other nodes may have a field with this name; only our messages end with the item.
	if (!isFailureJson(failure) || ownMessageIn(failure.message) === undefined) return undefined;
	const error = errorFromJson(run.node, failure, itemIndex);
	carriedErrors.add(error);
	return error;
}

/** With On Error = Continue, n8n reduces the json of a failed item to `{ error: text }`. */
function regularOutputFailure(run: NodeRun, json: IDataObject, error: INodeExecutionData['error']) {
	const { error: text } = json;
	const isLone = typeof text === 'string' && Object.keys(json).length === 1;
	const own = isLone ? ownMessageIn(text) : undefined;
	if (own === undefined || !isAfterOurs(run)) return undefined;
	const { message, told } = own;
	const { description, messages } = error ?? {};
	const httpCode = error && 'httpCode' in error && error.httpCode;
	const details = messages?.map(sanitizeText).join('\n');
	const more = { description: told ?? description, httpCode, details };
	return { message, ...Object.fromEntries(Object.entries(more).filter(([, text]) => text)) };
}

/** The message of ours at the start of a text, and the description after it; undefined in any other text. */
function ownMessageIn(text: string): { message: string; told?: string } | undefined {
	const found = OWN_MESSAGE.exec(text);
	if (found === null) return undefined;
	const end = found.index + found[0].replace(/\. $/, '').length;
	const told = text.slice(end + 2);
	return { message: text.slice(0, end), ...(told && { told }) };
}

function isAfterOurs(run: NodeRun): boolean {
	const { name, type } = run.node;
	const ofPackage = type.slice(0, type.lastIndexOf('.') + 1);
	return run.context.getParentNodes(name).some((parent) => parent.type.startsWith(ofPackage));
}
