import {
	type IDataObject,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { type RequestFailure, type Result, mayHaveBeenTaken } from '../../api/failure';
import { textForFailure } from './failureTexts';

/** The errors that n8n shows with their node. */
export type NodeError = NodeApiError | NodeOperationError;

/** What the node knows about a failed request. */
export interface FailureContext {
	/** Missing if the request is not about an item, such as one that fills a list in the form. */
	itemIndex?: number;
	/**
	 * What the node was doing, as in "read edit abc". It names the edit: n8n keeps only the message of
	 * a failed item, and an edit ID must never be lost.
	 */
	doing: string;
	/** Whether the request is charged: the text then says whether the service may have taken it. */
	isSubmission?: boolean;
	/** What else to say, such as the IDs created before this item. */
	note?: string;
}

type OperationErrorOptions = ConstructorParameters<typeof NodeOperationError>[2];

/** Longer messages only quote values from outside. */
const MESSAGE_CHARACTERS_MAXIMUM = 2_000;

/** An error that n8n shows with exactly this message, cut after 2,000 characters. */
export function operationError(
	node: INode,
	whole: string,
	options?: OperationErrorOptions,
): NodeOperationError {
	const isLong = whole.length > MESSAGE_CHARACTERS_MAXIMUM;
	const message = isLong ? `${whole.slice(0, MESSAGE_CHARACTERS_MAXIMUM)}…` : whole;
	return withMessage(new NodeOperationError(node, message, options), message);
}

/** An error with exactly this message: a NodeApiError if the service answered with a status. */
export function errorWith(
	node: INode,
	message: string,
	options: OperationErrorOptions,
	status?: number | string,
): NodeError {
	if (status === undefined) return operationError(node, message, options);
	const response: JsonObject = { message };
	const apiOptions = { ...options, message, httpCode: String(status) };
	return withMessage(new NodeApiError(node, response, apiOptions), message);
}

/**
 * n8n replaces messages that contain ECONNRESET and the like, which would lose the edit ID and advise a
 * retry that is charged again.
 */
function withMessage<Kind extends NodeError>(error: Kind, message: string): Kind {
	error.message = message;
	return error;
}

/**
 * The error for a failed request: the message says what was not done and why, the description what to
 * do. A response of the service becomes a NodeApiError with its status, anything else a
 * NodeOperationError.
 */
export function toNodeError(
	node: INode,
	failure: RequestFailure,
	{ itemIndex, doing, isSubmission, note }: FailureContext,
): NodeError {
	const { message: reason, advice } = textForFailure(failure);
	const atItem = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	const caution = isSubmission ? cautionFor(failure) : '';
	const parts = [caution, unsentText(failure), advice, note, detailsOf(failure)];
	const description = parts.filter(Boolean).join(' ');
	const message = `Could not ${doing}: ${reason}${atItem}`;
	const error = errorWith(node, message, { description, itemIndex }, failure.status);
	failures.set(error, failure);
	return error;
}

const failures = new WeakMap<Error, RequestFailure>();

/** The failed request that an error was built from; undefined for any other error. */
export function failureBehind(error: Error): RequestFailure | undefined {
	return failures.get(error);
}

/** The value of a result. @throws the error that n8n shows for its failure */
export function valueOrThrow<T>(result: Result<T>, node: INode, context: FailureContext): T {
	if (result.ok) return result.value;
	throw toNodeError(node, result.failure, context);
}

function unsentText({ sameAsItem }: RequestFailure): string {
	return sameAsItem === undefined
		? ''
		: `This item was not sent: item ${sameAsItem} failed for the same cause, which every item would meet.`;
}

/** Says whether a second submission could be charged a second time. */
function cautionFor(failure: RequestFailure): string {
	return mayHaveBeenTaken(failure)
		? 'The service may have taken the edit, so it was not sent again: a second edit would be charged too. Look at your recent edits before you run this item again.'
		: 'No edit was created.';
}

function detailsOf({ request, origin, status }: RequestFailure): string {
	const at = origin ? ` at ${origin}` : '';
	return `(${request}${at}${status === undefined ? '' : ` answered ${status}`})`;
}

/** An error as {@link failureJson} stores it. */
interface WrittenFailure {
	readonly message: string;
	readonly description?: string;
	readonly httpCode?: string;
}

const FAILURE_KEYS: ReadonlySet<string> = new Set(['message', 'description', 'httpCode']);

/** What an item carries in its json when it failed and the workflow goes on. */
export function failureJson(error: NodeError): IDataObject {
	const { message, description } = error;
	const httpCode = error instanceof NodeApiError ? error.httpCode : null;
	return { message, ...(description && { description }), ...(httpCode && { httpCode }) };
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
	{ message, description, httpCode }: WrittenFailure,
	itemIndex: number,
): NodeError {
	return errorWith(node, message, { description, itemIndex }, httpCode);
}
