import type { FailureKind, RequestFailure } from '../../api/failure';
import { isTransient } from '../../api/retry';

/** Why a request failed, in one line, and what to do about it. */
interface FailureText {
	readonly message: string;
	readonly advice: string;
}

type Describe = (failure: RequestFailure) => FailureText;

/** What to do about an edit that ended with status FAILURE without a reason. */
const CHECK_SOURCE =
	'Check that the source plays, that its format is supported and its URL public, then create a new edit.';

const CORRECT_REASON = 'Correct what the service names as the reason, then create a new edit.';

/**
 * What to do about an edit that ended with status FAILURE; says so if the service gives no reason.
 *
 * @param reason the service's reason, which the error's message names
 * @param more what else may be the cause, and what to do about it
 */
export function failedEditAdvice(reason?: string, more?: string): string {
	if (reason !== undefined) return more ?? CORRECT_REASON;
	return `The service gives no reason. ${more ?? CHECK_SOURCE}`;
}

/** What else PENDING may mean, spec "States and transitions". */
export const PENDING_NOTE =
	'An unknown, deleted or expired edit ID also reads PENDING: check the ID.';

const WEB_PAGE: FailureText = {
	message: 'this base URL answers with a web page',
	advice:
		"The 'Base URL' of the credential must be the root of the service's API, not of its website.",
};

const TOO_LARGE: FailureText = {
	message: 'the file is too large for the service',
	advice: 'Send a smaller file.',
};

/** Texts for requests to the service; also the default for links. */
const OF_SERVICE: Readonly<Record<FailureKind, Describe>> = {
	status: describeStatus,
	invalid: ({ target, said = 'the request is not complete' }) => ({
		message:
			target === 'credential' ? `The 'Base URL' of the credential cannot be used: ${said}` : said,
		advice: 'Nothing was sent.',
	}),
	unreachable: ({ said }) => ({
		message: `the service could not be reached (${said ?? 'no connection'})`,
		advice: "Check the 'Base URL' of the credential, and that n8n can reach that host.",
	}),
	broken: ({ said }) => ({
		message: `the connection broke off (${said ?? 'no reason given'})`,
		advice: 'Run it again when the network is steady.',
	}),
	timeout: () => ({
		message: 'no answer came within the time limit',
		advice: 'The service or the network is slow at the moment. Try again later.',
	}),
	stopped: () => ({ message: 'the execution was stopped', advice: '' }),
	redirect: ({ redirectHost = 'another place', redirectPath = '' }) => ({
		message: `the address redirects to ${redirectHost}${redirectPath}`,
		advice:
			"Redirects are not followed, because the API key would travel along. Set the 'Base URL' of the credential to the service's final address.",
	}),
	unreadable: ({ isWebPage, said }) =>
		isWebPage
			? WEB_PAGE
			: {
					message: `the answer is not what the interface promises (${said ?? 'no details'})`,
					advice: "Check that the 'Base URL' of the credential is the audio editing service's.",
				},
	wrongSize: ({ said }) => ({
		message: `n8n's copy of the file is not as long as n8n says (${said ?? 'no details'})`,
		advice: 'Run the node that made the file again.',
	}),
};

/** Requests to signed links, which have nothing to do with the credential. */
const OF_LINK: Readonly<Partial<Record<FailureKind, Describe>>> = {
	status: describeLinkStatus,
	unreachable: ({ said }) => ({
		message: `the host of the file could not be reached (${said ?? 'no connection'})`,
		advice: 'Check that n8n can reach that host; it may be another one than the service.',
	}),
	timeout: () => ({
		message: 'the transfer did not end within its time limit',
		advice: 'The network is slow at the moment. Try again later.',
	}),
	redirect: (failure) => ({
		message: `the ${linkOf(failure)} redirects to ${failure.redirectHost ?? 'another place'}`,
		advice: isUpload(failure)
			? 'Redirects are not followed, because the file would have to be sent twice.'
			: "Redirects are not followed. To fetch this file, leave 'Download' empty and give the link to an HTTP Request node.",
	}),
	unreadable: ({ said }) => ({
		message: `the link returned no audio or video (${said ?? 'no details'})`,
		advice: 'Open the link in a browser to see what it returns, then run Get Result again.',
	}),
};

/** Why a request failed, and what to do about it. */
export function textForFailure(failure: RequestFailure): FailureText {
	const ofLink = failure.target === 'link' ? OF_LINK[failure.kind] : undefined;
	return (ofLink ?? OF_SERVICE[failure.kind])(failure);
}

/** Statuses of the service with their own texts; `because` is what the service said, after a colon. */
const OF_STATUS: Readonly<
	Record<number, (because: string, failure: RequestFailure) => FailureText>
> = {
	401: () => ({
		message: 'the API key was not accepted',
		advice:
			"Check the 'API Key' and the 'Base URL' of the credential. A key is shown only once, when it is created; make a new one if in doubt.",
	}),
	403: (because) => ({
		message: `the service does not allow this${because}`,
		advice:
			"The account's credit may be used up: look at it with the Account node. Or the edit or file belongs to another API key.",
	}),
	404: (because) => ({
		message: `the service has nothing at this address${because}`,
		advice:
			"Check the 'Base URL' of the credential. Files and results are deleted 7 days after processing.",
	}),
	413: () => TOO_LARGE,
	422: (_because, { details, said }) => ({
		message: `the service did not accept the request: ${details?.join('; ') ?? said ?? 'no details given'}`,
		advice: 'Correct the fields it names.',
	}),
	429: (because) => ({
		message: `the API key's rate limit is still exceeded${because}`,
		advice:
			'Something else seems to use the same key. The service allows 30 uploads and edits and 300 status calls a minute; let fewer workflows run at once, or try later.',
	}),
};

function describeStatus(failure: RequestFailure): FailureText {
	const { status = 0, said, isWebPage } = failure;
	const because = said ? `: ${said}` : '';
	const describe = OF_STATUS[status];
	if (describe !== undefined) return describe(because, failure);
	if (isWebPage && status < 500) return WEB_PAGE;
	return isTransient(failure)
		? {
				message: `the service is temporarily unavailable (${status})${because}`,
				advice: 'Try again in a minute.',
			}
		: {
				message: `the service answered ${status}${because}`,
				advice: "Retrying won't help: check the input of this item and what the service says.",
			};
}

/** Advice if a fresh link failed, too. */
const FRESH_LINK_ADVICE =
	"Get Result asked for a fresh link, which failed in the same way. If the edit was created with 'signed_url', the file is in your own storage: fetch it from there, with its own credential, and leave 'Download' empty here.";

function describeLinkStatus(failure: RequestFailure): FailureText {
	const { status = 0, said, isFreshLink } = failure;
	const because = said ? `: ${said}` : '';
	const node = isUpload(failure) ? 'Upload' : 'Get Result';
	const again = isFreshLink ? FRESH_LINK_ADVICE : `Run ${node} again: it asks for a fresh link.`;
	switch (status) {
		case 401:
		case 403:
			return {
				message: `the ${linkOf(failure)} is no longer valid, or never was (${status})${because}`,
				advice: `Links are valid for a limited time. ${again}`,
			};
		case 404:
		case 410:
			return {
				message: `the ${linkOf(failure)} leads to no file (${status})${because}`,
				advice: `${again} Files are deleted 7 days after processing.`,
			};
		case 413:
			return TOO_LARGE;
	}
	return {
		message: `the host of the file answered ${status}${because}`,
		advice: isTransient(failure) ? `Wait a minute. ${again}` : again,
	};
}

function isUpload({ request }: RequestFailure): boolean {
	return request.startsWith('PUT');
}

function linkOf(failure: RequestFailure): string {
	return isUpload(failure) ? 'upload link' : 'download link';
}
