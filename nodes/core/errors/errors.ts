import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type RequestFailure, type Result, mayHaveBeenAccepted } from '../../../api/failure';
import { isTransient } from '../../../api/retry';
import { sanitizeText } from '../../../api/sanitizeText';
import { saidText, textForFailure, wordsOf } from './failureTexts';

/** The errors that n8n shows with their node. */
export type NodeError = NodeApiError | NodeOperationError;

/** What the node knows about a failed request. */
export interface FailureContext {
	/** Missing if the request is not about an item, such as one that fills a list in the form. */
	itemIndex?: number;
	/** What the node was doing, as in "download the edited file". */
	doing: string;
	/** The edit it was about: n8n keeps only the message of a failed item, and an edit ID must never be lost. */
	editId?: string;
	/** Whether the request is charged: the text then says whether the service may have taken it. */
	isSubmission?: boolean;
	/** What else to say, such as the IDs created before this item. */
	note?: string;
}

type OperationErrorOptions = ConstructorParameters<typeof NodeOperationError>[2];

/** Longer messages only quote values from outside. */
const MAX_MESSAGE_CHARACTERS = 2_000;

/** An error with exactly this message, cut after 2,000 characters. n8n shows the details folded below it. */
export function operationError(
	node: INode,
	whole: string,
	options?: OperationErrorOptions,
	details?: string[],
): NodeOperationError {
	const isLong = whole.length > MAX_MESSAGE_CHARACTERS;
	const message = isLong ? `${whole.slice(0, MAX_MESSAGE_CHARACTERS)}…` : whole;
	return withTexts(new NodeOperationError(node, message, options), message, details);
}

/** An error as n8n shows it, with its node and item. */
export function asNodeError(node: INode, error: unknown, itemIndex: number): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const cause = error instanceof Error ? error : String(error);
	return new NodeOperationError(node, cause, { itemIndex });
}

/**
 * The error of a node that submits nothing below a credit.
 *
 * @param label the field with the least credit
 * @param itemIndex the item that asked, if not all of them did
 */
export function lowCreditError(
	node: INode,
	[total, least]: readonly [total: number, least: number],
	label: string,
	itemIndex?: number,
): NodeOperationError {
	const atItem = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	const message = `The account's credit, ${total}, is below ${least}${atItem}`;
	const description = `Nothing was submitted. Top up the account, or lower '${label}' in this node.`;
	return operationError(node, message, { itemIndex, description });
}

/** An error with exactly this message: a NodeApiError if the service answered with a status. */
export function errorWith(
	node: INode,
	message: string,
	options: OperationErrorOptions,
	{ status, details }: { status?: number | string; details?: string[] },
): NodeError {
	if (status === undefined) return operationError(node, message, options, details);
	const apiOptions = { ...options, message, httpCode: String(status) };
	return withTexts(new NodeApiError(node, { message }, apiOptions), message, details);
}

/**
 * n8n replaces messages that contain ECONNRESET and the like, which would lose the edit ID and advise a
 * retry that is charged again.
 */
function withTexts<E extends NodeError>(error: E, message: string, messages: string[] = []): E {
	cleaned.add(error);
	return Object.assign(error, { message, messages });
}

/**
 * The error for a failed request: the message says what was not done and why, the description what the
 * service said and what to do, the details name the request. A response of the service becomes a
 * NodeApiError with its status, anything else a NodeOperationError.
 */
export function toNodeError(
	node: INode,
	failure: RequestFailure,
	{ itemIndex, doing, editId, isSubmission, note }: FailureContext,
): NodeError {
	const [reason, advice] = textForFailure(failure);
	const atItem = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	const caution = isSubmission ? cautionFor(failure) : '';
	const invites = failure.kind === 'stopped' || isTransient(failure);
	const toDo = isSubmission && invites && mayHaveBeenAccepted(failure) ? '' : advice;
	const { sameAsItem } = failure;
	const unsent =
		sameAsItem !== undefined &&
		`This item was not sent: item ${sameAsItem} failed for a cause that affects every item.`;
	const parts = [withoutId(saidText(failure), editId), caution, unsent, toDo, note];
	const description = parts.filter(Boolean).join(' ');
	const message = `Could not ${doing}: ${reason}${ofEdit(editId)}${atItem}`;
	const details = detailsOf(failure).map((text) => withoutId(text, editId));
	const more = { status: failure.status, details };
	const error = errorWith(node, message, { description, itemIndex }, more);
	failures.set(error, failure);
	return error;
}

/** Names an edit after the reason of its failure. */
export function ofEdit(editId: string | undefined): string {
	return editId ? ` (edit ${sanitizeText(editId)})` : '';
}

/** A shorter ID may be a part of other words. */
const MIN_ID_CHARACTERS = 6;

/** A text without the ID of an edit, for an error whose message names it. */
export function withoutId(text: string, editId: string | undefined): string {
	const id = sanitizeText(editId ?? '');
	return id.length < MIN_ID_CHARACTERS ? text : text.replaceAll(id, '…');
}

/** The errors whose details are ours. Those of other errors may have secrets. */
const cleaned = new WeakSet<Error>();
const failures = new WeakMap<Error, RequestFailure>();

/** Marks the error of something that was ended from outside: by Stop, or by the failure of another item. */
export function asStopped<E extends NodeError>(error: E): E {
	failures.set(error, { kind: 'stopped', request: '' });
	return error;
}

/** The failed request that an error was built from; undefined for any other error. */
export function failureBehind(error: unknown): RequestFailure | undefined {
	return error instanceof Error ? failures.get(error) : undefined;
}

/** The value of a result. @throws the error that n8n shows for its failure */
export function valueOrThrow<T>(result: Result<T>, node: INode, context: FailureContext): T {
	if (result.ok) return result.value;
	throw toNodeError(node, result.failure, context);
}

/** Says whether a second submission could be charged a second time. */
function cautionFor(failure: RequestFailure): string {
	return mayHaveBeenAccepted(failure)
		? 'The service may have accepted the edit. It was not sent again, because a second edit would be charged too. Look at your recent edits before you run this item again.'
		: 'No edit was created.';
}

/** Method, path, status, and what the service said. */
function detailsOf(failure: RequestFailure): string[] {
	const { kind, request, origin } = failure;
	const { status = kind === 'unreadable' || kind === 'tooLarge' ? '2xx' : undefined } = failure;
	if (kind === 'invalid') return [];
	const at = origin ? ` at ${origin}` : '';
	const end = status === undefined ? `(${kind})` : `answered ${status}`;
	return [`${request}${at} ${end}`, wordsOf(failure)].filter(Boolean);
}

/** An error as {@link failureJson} stores it. */
type WrittenFailure = {
	readonly message: string;
	readonly description?: string;
	readonly httpCode?: string;
	readonly details?: string;
};

const FAILURE_KEYS = new Set(['message', 'description', 'httpCode', 'details']);

/** What an item carries in its json when it failed and the workflow goes on. */
export function failureJson(error: NodeError): WrittenFailure {
	const { message, description, messages } = error;
	const httpCode = error instanceof NodeApiError ? error.httpCode : null;
	const known = { description, httpCode, details: cleaned.has(error) && messages.join('\n') };
	const entries = Object.entries(known).flatMap(([key, text]) => (text ? [[key, text]] : []));
	return { message, ...(Object.fromEntries(entries) as Omit<WrittenFailure, 'message'>) };
}

/** Whether a value of an item's json is what {@link failureJson} writes. */
export function isFailureJson(value: unknown): value is WrittenFailure {
	if (typeof value !== 'object' || value === null || !('message' in value)) return false;
	const isOurs = ([key, text]: [string, unknown]) =>
		FAILURE_KEYS.has(key) && typeof text === 'string';
	return Object.entries(value).every(isOurs);
}

/** The error that {@link failureJson} wrote, as an error of this node and item. */
export function errorFromJson(
	node: INode,
	{ message, description, httpCode, details }: WrittenFailure,
	itemIndex: number,
): NodeError {
	const more = { status: httpCode, details: details?.split('\n') };
	return errorWith(node, message, { description, itemIndex }, more);
}
