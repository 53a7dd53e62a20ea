import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type ErrorText, textForLink } from './linkTexts';
import { type RequestFailure, mayHaveBeenTaken } from './failure';
import { isTransient } from './retry';

/** What the node knows about the failed request, for an error that can be acted on. */
export interface FailureContext {
	/** Left out where the request is not about an item, as when a list in the form is filled. */
	itemIndex?: number;
	/**
	 * What was being done, as in "read edit abc"; the message begins with it. It names the edit
	 * concerned: n8n keeps only the message of a failed item, and an edit id must never be lost.
	 */
	doing: string;
	/** True for requests that are paid for: the text then says whether the service may have taken it. */
	isSubmission?: boolean;
	/** What else the person should know, such as the ids created before this item. */
	note?: string;
}

type OperationErrorOptions = ConstructorParameters<typeof NodeOperationError>[2];

/** Longer messages quote a value from outside that is no use to anybody at that length. */
const MESSAGE_CHARACTERS_MAXIMUM = 2_000;

/** An error that n8n shows with this very message, which is cut after 2,000 characters. */
export function operationError(
	node: INode,
	whole: string,
	options?: OperationErrorOptions,
): NodeOperationError {
	const isLong = whole.length > MESSAGE_CHARACTERS_MAXIMUM;
	const message = isLong ? `${whole.slice(0, MESSAGE_CHARACTERS_MAXIMUM)}…` : whole;
	return asWritten(new NodeOperationError(node, message, options), message);
}

/**
 * n8n puts words of its own in the place of a message in which it finds a code such as ECONNRESET, also
 * one that the service said: with it the edit's ID would go, and a person be told to retry what is paid.
 */
function asWritten<NodeError extends NodeApiError | NodeOperationError>(
	error: NodeError,
	message: string,
): NodeError {
	error.message = message;
	return error;
}

/**
 * The one builder of errors for failed requests: turns one into the error n8n shows, with the message
 * saying what was not done and why, and the description saying what to do next. An answer of the
 * service becomes a NodeApiError with its status, everything else a NodeOperationError.
 */
export function toNodeError(
	node: INode,
	failure: RequestFailure,
	context: FailureContext,
): NodeApiError | NodeOperationError {
	const { message: reason, advice } =
		(failure.target === 'link' ? textForLink(failure) : undefined) ?? textFor(failure);
	const atItem = context.itemIndex === undefined ? '' : ` [item ${context.itemIndex}]`;
	const message = `Could not ${context.doing}: ${reason}${atItem}`;
	const description = [
		cautionFor(failure, context),
		untriedText(failure),
		advice,
		context.note,
		factsOf(failure),
	]
		.filter(Boolean)
		.join(' ');
	const { itemIndex } = context;
	const error = errorWith(node, message, { description, itemIndex }, failure.status);
	failures.set(error, failure);
	return error;
}

/** The failed requests behind errors, for those who decide by them. */
const failures = new WeakMap<Error, RequestFailure>();

/** The failed request that an error tells of; undefined for an error about anything else. */
export function failureBehind(error: Error): RequestFailure | undefined {
	return failures.get(error);
}

/** An error with this very message: a NodeApiError where the service answered with a status. */
export function errorWith(
	node: INode,
	message: string,
	options: OperationErrorOptions,
	status?: number | string,
): NodeApiError | NodeOperationError {
	if (status === undefined) return operationError(node, message, options);
	const response: JsonObject = { message };
	const apiOptions = { ...options, message, httpCode: String(status) };
	return asWritten(new NodeApiError(node, response, apiOptions), message);
}

/** Says that an item was not tried, because another one has met the same. */
function untriedText({ sameAsItem }: RequestFailure): string {
	return sameAsItem === undefined
		? ''
		: `This item was not sent: item ${sameAsItem} failed for the same cause, which every item would meet.`;
}

/** After an ambiguous end of a paid request, say so: sending it again could mean paying twice. */
function cautionFor(failure: RequestFailure, { isSubmission }: FailureContext): string {
	if (!isSubmission) return '';
	return mayHaveBeenTaken(failure)
		? 'The service may have taken the edit all the same, so it was not sent again: a second one would be paid for too. Look at your recent edits before you run this item again.'
		: 'No edit was created.';
}

function factsOf(failure: RequestFailure): string {
	const answered = failure.status === undefined ? '' : ` answered ${failure.status}`;
	const at = failure.origin ? ` at ${failure.origin}` : '';
	return `(${failure.request}${at}${answered})`;
}

function textFor(failure: RequestFailure): ErrorText {
	const { said } = failure;
	switch (failure.kind) {
		case 'status':
			return textForStatus(failure);
		case 'invalid':
			return { message: said ?? 'the request is not complete', advice: 'Nothing was sent.' };
		case 'unreachable':
			return {
				message: `the service could not be reached (${said ?? 'no connection'})`,
				advice: "Check the 'Base URL' of the credential, and that n8n can reach that host.",
			};
		case 'broken':
			return {
				message: `the connection broke off (${said ?? 'no reason given'})`,
				advice: 'Run it again when the network is steady.',
			};
		case 'timeout':
			return {
				message: 'no answer came within the time limit',
				advice: 'The service or the network is slow at the moment. Try again later.',
			};
		case 'stopped':
			return { message: 'the execution was stopped', advice: '' };
		case 'redirect':
			return {
				message: `the address redirects to ${failure.redirectHost ?? 'another place'}${failure.redirectPath ?? ''}`,
				advice:
					"Redirects are not followed, because the API key would travel along. Set the 'Base URL' of the credential to the service's final address.",
			};
		case 'unreadable':
			return textForUnreadable(failure);
		case 'wrongSize':
			return {
				message: `n8n's copy of the file is not as long as n8n says (${said ?? 'no details'})`,
				advice: 'Run the node that made the file again.',
			};
	}
}

function textForUnreadable({ isWebPage, said }: RequestFailure): ErrorText {
	if (isWebPage) return WEB_PAGE;
	return {
		message: `the answer is not what the interface promises (${said ?? 'no details'})`,
		advice: "Check that the 'Base URL' of the credential is the audio editing service's.",
	};
}

const WEB_PAGE: ErrorText = {
	message: 'this base URL answers with a web page',
	advice:
		"The 'Base URL' of the credential must be the root of the service's API, not of its website.",
};

function textForStatus(failure: RequestFailure): ErrorText {
	const { status = 0, details, said, isWebPage } = failure;
	const because = said ? `: ${said}` : '';
	switch (status) {
		case 401:
			return {
				message: 'the API key was not accepted',
				advice:
					"Check the 'API Key' and the 'Base URL' of the credential. A key is shown only once, when it is created; make a new one if in doubt.",
			};
		case 403:
			return {
				message: `the service does not allow this${because}`,
				advice: 'A link may have expired, or belong to another API key.',
			};
		case 404:
			return {
				message: `the service has nothing at this address${because}`,
				advice:
					"Check the 'Base URL' of the credential. Files and results are deleted 7 days after processing.",
			};
		case 413:
			return { message: 'the file is too large for the service', advice: 'Send a smaller file.' };
		case 422:
			return {
				message: `the service did not accept the request: ${details?.join('; ') ?? said ?? 'no details given'}`,
				advice: 'Correct the fields it names.',
			};
		case 429:
			return {
				message: `the rate limit of the API key stayed exceeded${because}`,
				advice:
					'Something else seems to use the same key. The service allows 30 uploads and edits and 300 status calls a minute; let fewer workflows run at once, or try later.',
			};
	}
	if (isWebPage && status < 500) return WEB_PAGE;
	if (isTransient(failure)) {
		return {
			message: `the service could not answer just now (${status})${because}`,
			advice: 'This passes by itself as a rule. Try again later.',
		};
	}
	return {
		message: `the service answered ${status}${because}`,
		advice: 'It would say the same again. Check the input of this item and what the service says.',
	};
}
