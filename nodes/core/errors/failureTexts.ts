import type { FailureKind, RequestFailure } from '../../../api/failure';
import { isTransient } from '../../../api/retry';

/** Why a request failed, in a few words, and what to do about it. */
type FailureText = readonly [message: string, advice: string];

type Describe = (failure: RequestFailure) => FailureText;

/** What to do about an edit that ended with status FAILURE without a reason. */
const CHECK_URL =
	'Check that the source plays, that its format is supported and its URL public, then create a new edit.';

const CHECK_UPLOAD =
	'Check that the file plays and that its format is supported, then upload it again and create a new edit.';

/** What is known of an edit that ended with status FAILURE. */
export interface FailedEditFacts {
	/** What else may be the cause, and what to do about it. */
	readonly more?: string;
	/** Whether the source is an uploaded file, not a URL of the user's. */
	readonly wasUploaded?: boolean;
}

/** A longer reason is cut in the message; the description has all of it. */
const MAX_REASON_CHARACTERS = 150;

/** Says of an edit that ended with status FAILURE that it did, and why, in the service's words. */
export function failedEditText(reason: string | undefined): string {
	if (reason === undefined) return `The recording could not be edited: the service gives no reason`;
	const isLong = reason.length > MAX_REASON_CHARACTERS;
	const shown = isLong ? `${reason.slice(0, MAX_REASON_CHARACTERS)}…` : reason;
	return `The recording could not be edited: ${shown.replace(/(?<![.\s])[.\s]+$/, '')}`;
}

/** What to do about an edit that ended with status FAILURE. */
export function failedEditAdvice(
	reason: string | undefined,
	{ more, wasUploaded = false }: FailedEditFacts = {},
): string {
	const isLong = (reason ?? '').length > MAX_REASON_CHARACTERS;
	const said = isLong ? sentence('The service says:', reason ?? '') : '';
	const check = wasUploaded ? CHECK_UPLOAD : CHECK_URL;
	const advice = reason === undefined ? check : 'Correct this, then create a new edit.';
	return [said, more ?? advice].filter(Boolean).join(' ');
}

/** What else PENDING may mean (api.md#states). */
export const PENDING_NOTE =
	'The service also reports PENDING for an unknown, deleted or expired edit ID, and for an edit that belongs to another API key. Check the ID and the credential.';

const WEB_PAGE: FailureText = [
	'this base URL leads to a web page',
	"The 'Base URL' of the credential must be the root of the service's API, not of its website.",
];

const TOO_LARGE: FailureText = ['the file is too large for the service', 'Send a smaller file.'];

/** Texts for requests to the service; also the default for links. */
const OF_SERVICE: Readonly<Record<FailureKind, Describe>> = {
	status: describeStatus,
	invalid: ({ said = 'the request is not complete', isEntered }) => [
		said,
		isEntered
			? 'Nothing was sent. Correct this, then run the node again.'
			: 'This request was not sent.',
	],
	unreachable: () => [
		'the service could not be reached',
		"Check the 'Base URL' of the credential, and that n8n can reach that host. If n8n runs in Docker, localhost is n8n's own container.",
	],
	broken: () => ['the connection was lost', 'Run the node again when the network is stable.'],
	timeout: () => [
		'the service did not respond in time',
		'The service or the network is slow at the moment. Try again later.',
	],
	stopped: () => [
		'the execution was stopped',
		"Edits that were submitted keep running on the service; n8n's log names them. Look there before you run the workflow again.",
	],
	redirect: () => [
		'the service redirects to another address',
		"Redirects are not followed, because the request carries the API key. Set the 'Base URL' of the credential to the service's final address.",
	],
	unreadable: ({ isWebPage }) =>
		isWebPage
			? WEB_PAGE
			: [
					'the service sent an unexpected response',
					"Check that the credential's 'Base URL' is that of the audio editing service.",
				],
	tooLarge: ({ request }) => [
		'the response of the service is too large',
		request.includes('/edits/') || request.includes('/completed_tasks/')
			? 'The nodes read at most 16 MB and 2 million values. Read it with an HTTP Request node instead.'
			: "Check that the credential's 'Base URL' is that of the audio editing service.",
	],
	wrongSize: () => [
		"the size of n8n's copy of the file is wrong",
		'Run the node that created the file again.',
	],
};

/** Requests to signed links, which have nothing to do with the credential. */
const OF_LINK: Readonly<Partial<Record<FailureKind, Describe>>> = {
	status: describeLinkStatus,
	unreachable: ({ origin = 'that host' }) => [
		"the file's host could not be reached",
		`Check that n8n can reach ${origin}, which stores the file.`,
	],
	timeout: () => [
		'the transfer took too long',
		'The network is slow at the moment. Try again later.',
	],
	redirect: (failure) => [
		`the ${linkOf(failure)} redirects to another address`,
		isUpload(failure)
			? 'Redirects are not followed, because the file would have to be sent twice. Ask the provider for an upload address that does not redirect.'
			: "Redirects are followed up to five times, but not from https to http, nor into a private network. To fetch this file, leave 'Download' empty and pass the link to an HTTP Request node.",
	],
	unreadable: () => [
		'the link returned no audio or video',
		'Open the link in a browser to see what it returns, then fetch the edit with an Audio Editing Get Result node and its ID.',
	],
};

/** Why a request failed, and what to do about it. */
export function textForFailure(failure: RequestFailure): FailureText {
	const ofLink = failure.target === 'link' ? OF_LINK[failure.kind] : undefined;
	return (ofLink ?? OF_SERVICE[failure.kind])(failure);
}

/** What was said, if not in the message itself. The service's words about a 401 may quote the key. */
export function wordsOf({ kind, target, status, said, details }: RequestFailure): string {
	const isHidden = kind === 'invalid' || (status === 401 && target !== 'link');
	return isHidden ? '' : (details?.join('; ') ?? said ?? '');
}

/** The same as a sentence, or the status of a response without words. */
export function saidText(failure: RequestFailure): string {
	const words = wordsOf(failure);
	const { kind, target, status } = failure;
	const sender = target === 'link' ? "The file's host" : 'The service';
	if (words === '') return kind === 'status' ? `${sender} answered ${status}.` : '';
	if (kind === 'redirect') return sentence('It redirects to', words);
	return sentence(kind === 'status' ? `${sender} says:` : 'Reason:', words);
}

/** The message of an error, and what was said, where nothing else shows that. */
export function withSaid(message: string, failure: RequestFailure): string {
	return [`${message}.`, saidText(failure)].filter(Boolean).join(' ');
}

function sentence(start: string, words: string): string {
	return `${start} ${words}${/[.!?…]$/.test(words) ? '' : '.'}`;
}

/** Statuses of the service with their own texts. */
const OF_STATUS: Readonly<Record<number, FailureText>> = {
	401: [
		'the API key was not accepted',
		"Check the 'API Key' and the 'Base URL' of the credential. A key is shown only once, when it is created; make a new one if in doubt.",
	],
	402: [
		'the service asks for payment',
		'Check the credit of the account with the Audio Editing Account node.',
	],
	403: [
		'the service does not allow this',
		"The account's credit may be used up: check it with the Audio Editing Account node. Or the edit or file belongs to another API key.",
	],
	404: [
		'the service found nothing at this address',
		"Check the 'Base URL' of the credential. Files and results are deleted 7 days after processing.",
	],
	413: TOO_LARGE,
	422: [
		'the service did not accept the request',
		'Correct what the service names, then run the node again.',
	],
	429: [
		"the API key's rate limit is still exceeded",
		"Another application or another n8n process may use the same key. In the credential, set 'Number of n8n Workers', or set 'Plan' to 'Custom' and enter n8n's share of the limit.",
	],
};

const OTHER_KEY =
	'Most likely, the edit was created with another API key: select the credential that it was created with.';

function describeStatus(failure: RequestFailure): FailureText {
	const { status = 0, isWebPage, request } = failure;
	if (status in OF_STATUS) {
		const [message, advice] = OF_STATUS[status];
		const mayBeOfOtherKey = (status === 403 || status === 404) && request.includes(' /v2/edits/');
		return [message, mayBeOfOtherKey ? `${advice} ${OTHER_KEY}` : advice];
	}
	if (isWebPage && status < 500) return WEB_PAGE;
	return isTransient(failure)
		? ['the service is temporarily unavailable', 'Try again in a minute.']
		: ['the service refused the request', "Retrying won't help: check the input of this item."];
}

/** Advice if a fresh link failed, too. */
const FRESH_LINK_ADVICE =
	"The node requested a new link, which failed in the same way. If 'Upload Result To' was set when you created the edit, the file is in your own storage: fetch it from there with that storage's credential, and leave 'Download' empty.";

function describeLinkStatus(failure: RequestFailure): FailureText {
	const { status = 0, isFreshLink } = failure;
	const run = isUpload(failure)
		? 'Run the node again'
		: 'Fetch the edit with an Audio Editing Get Result node';
	const again = isFreshLink ? FRESH_LINK_ADVICE : `${run}: it requests a new link.`;
	if (status === 413) return TOO_LARGE;
	if (status === 401 || status === 403) {
		return [
			`the ${linkOf(failure)} has expired or is not valid`,
			`Links are valid for a limited time. ${again}`,
		];
	}
	if (status === 404 || status === 410) {
		return [
			`there is no file at the ${linkOf(failure)}`,
			`${again} Files are deleted 7 days after processing.`,
		];
	}
	return isTransient(failure)
		? ["the file's host is temporarily unavailable", `Wait a minute. ${again}`]
		: ["the file's host refused the request", again];
}

function isUpload({ request }: RequestFailure): boolean {
	return request.startsWith('PUT');
}

function linkOf(failure: RequestFailure): string {
	return isUpload(failure) ? 'upload link' : 'download link';
}
